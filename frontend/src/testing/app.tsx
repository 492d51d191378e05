import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { vi } from "vitest";
import { createMock } from "../../mock-api/mock";
import type { Db } from "../../mock-api/db";
import { createQueryClient } from "@/api/queries";
import { SessionGate } from "@/pages/SessionGate";
import { routes } from "@/routes";
import { xhrOver } from "./xhr";

export interface Sent {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
}

/**
 * The whole console at an address (a function: one that is known when `prepare` has run), against the mock API. `sent`
 * gathers what was asked of it; `wish` brings it to the states that the mock has words for, from then on.
 */
export function renderApp(
  address: string | (() => string),
  { loggedIn = true, prepare }: { loggedIn?: boolean; prepare?: (db: Db) => void } = {},
) {
  const handle = createMock({ loggedIn, ...(prepare ? { prepare } : {}) });
  const sent: Sent[] = [];
  let wished = "";
  vi.stubGlobal("fetch", async (input: Request | string, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(new URL(input, location.origin), init);
    const json = request.headers.get("Content-Type")?.includes("json");
    const text = json ? await request.clone().text() : "";
    const { pathname, searchParams } = new URL(request.url);
    sent.push({
      method: request.method,
      path: pathname,
      query: searchParams,
      body: text ? (JSON.parse(text) as unknown) : undefined,
      headers: request.headers,
    });
    request.headers.set("Referer", `${location.origin}/?mock=${wished}`);
    return handle(request);
  });
  vi.stubGlobal("XMLHttpRequest", xhrOver(handle));
  const router = createMemoryRouter(routes, { initialEntries: [typeof address === "string" ? address : address()] });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionGate>
        <RouterProvider router={router} />
      </SessionGate>
    </QueryClientProvider>,
  );
  /** What was asked of addresses that end so, by methods other than GET. */
  const asked = (end: string) => sent.filter(({ method, path }) => method !== "GET" && path.endsWith(end));
  const wish = (words: string) => {
    wished = words;
  };
  return { sent, asked, router, wish };
}
