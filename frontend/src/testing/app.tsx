import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { vi } from "vitest";
import { createMock } from "../../mock-api/mock";
import type { Db } from "../../mock-api/db";
import { setScenario as releaseAnswers } from "../../mock-api/sentinels";
import { createQueryClient } from "@/api/queries";
import { SessionGate } from "@/frame/SessionGate";
import { routes } from "@/routes";
import { xhrOver } from "./xhr";

interface Sent {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
}

interface Options {
  loggedIn?: boolean;
  prepare?: (db: Db) => void;
  /** These sentinels apply from the first request on. */
  scenario?: string;
}

/**
 * Renders the whole console on the mock API. An address that is known only after `prepare` is a function. `sent` has
 * all requests except uploads. `setScenario` replaces the sentinels (mock-api/sentinels.ts) for all later requests
 * and releases answers that no sentinel delays any more. Two sentinels need the session: `viewer` reaches the page
 * when it reads its session again (the mock refuses changes at once), and `expired-401` ends a session once the page
 * has read it.
 */
export function renderApp(
  address: string | (() => string),
  { loggedIn = true, prepare, scenario: first = "" }: Options = {},
) {
  const mock = createMock({ loggedIn, ...(prepare ? { prepare } : {}) });
  const sent: Sent[] = [];
  let scenario = first;
  const handle = (request: Request) => {
    request.headers.set("Referer", `${location.origin}/?mock=${scenario}`);
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
  /** `end` is the end of the path. */
  const changesTo = (end: string) => sent.filter(({ method, path }) => method !== "GET" && path.endsWith(end));
  const setScenario = (words: string) => {
    scenario = words;
    releaseAnswers(words);
  };
  return { sent, changesTo, router, setScenario };
}
