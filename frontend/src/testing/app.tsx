import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { vi } from "vitest";
import { createMock } from "../../mock-api/mock";
import type { Db } from "../../mock-api/db";
import { wishInstead } from "../../mock-api/sentinels";
import { createQueryClient } from "@/api/queries";
import { SessionGate } from "@/frame/SessionGate";
import { routes } from "@/routes";
import { xhrOver } from "./xhr";

export interface Sent {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
}

interface Options {
  loggedIn?: boolean;
  prepare?: (db: Db) => void;
  /** What is wished before the page asks for anything. */
  wished?: string;
}

/**
 * The whole console at an address (a function: one that is known when `prepare` has run), against the mock API. `sent`
 * gathers what was asked of it, but for uploads. `wish` says instead of what was wished before which of the mock's words
 * hold for what is asked from then on, uploads too; answers that were held and are no more come. Two words wait for the
 * session: the page knows of `viewer` when it asks for its session again (changes are refused at once), and `expired-401`
 * ends a session once after it was asked for.
 */
export function renderApp(
  address: string | (() => string),
  { loggedIn = true, prepare, wished: first = "" }: Options = {},
) {
  const mock = createMock({ loggedIn, ...(prepare ? { prepare } : {}) });
  const sent: Sent[] = [];
  let wished = first;
  const handle = (request: Request) => {
    request.headers.set("Referer", `${location.origin}/?mock=${wished}`);
    return mock(request);
  };
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
    wishInstead(words);
  };
  return { sent, asked, router, wish };
}
