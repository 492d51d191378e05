import { afterEach, describe, expect, it, vi } from "vitest";
import { apiFetch, changeHeaders, newIdempotencyKey } from "./http";
import type { ProblemError } from "./problem";

const KEY = "Idempotency-Key";
const post = (headers: Record<string, string> = {}) =>
  new Request("http://localhost/vnflcm/v2/vnf_instances/i/heal", { method: "POST", body: "{}", headers });
const problem = (status: number, code = "") =>
  new Response(JSON.stringify({ status, title: "No", detail: "", code }), {
    status,
    headers: { "Content-Type": "application/problem+json" },
  });

/** Gives one answer after the other; "cut" is a lost connection. */
function server(...answers: (Response | "cut")[]) {
  const seen: { key: string | null; body: string }[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.url.endsWith("/csrf")) return Response.json({ csrfToken: "t" });
    seen.push({ key: request.headers.get(KEY), body: await request.text() });
    const answer = answers[seen.length - 1];
    if (answer === undefined || answer === "cut") throw new TypeError("Failed to fetch");
    return answer;
  });
  vi.useFakeTimers();
  return seen;
}
const settled = async <R>(asked: Promise<R>): Promise<R> => {
  const answer = asked.catch((error: unknown) => error as R);
  await vi.runAllTimersAsync();
  return answer;
};

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A proxy's JSON is not a problem document of the server. */
const ofProxy = (status: number) => Response.json({ code: status, message: "upstream" }, { status });

describe("a POST", () => {
  it("is repeated under the same key and body when its answer was lost", async () => {
    const seen = server("cut", problem(502), new Response(null, { status: 202 }));
    expect((await settled(apiFetch(post()))).status).toBe(202);
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
    expect(seen.map(({ body }) => body)).toEqual(["{}", "{}", "{}"]);
  });
  it("waits for its first attempt under way", async () => {
    const seen = server("cut", problem(409, "IDEMPOTENCY_KEY_IN_USE"), new Response(null, { status: 202 }));
    expect((await settled(apiFetch(post()))).status).toBe(202);
    expect(seen).toHaveLength(3);
  });
  it("reads an empty response to its end", async () => {
    server(new Response("", { status: 202, headers: { "Content-Length": "0" } }));
    expect((await settled(apiFetch(post()))).bodyUsed).toBe(true);
  });
  it("is not repeated when rejected", async () => {
    const seen = server(problem(409, "OPERATION_RUNNING"));
    const error = (await settled(apiFetch(post()))) as unknown as ProblemError;
    expect(error.problem.code).toBe("OPERATION_RUNNING");
    expect(seen).toHaveLength(1);
  });
  it("is not repeated once the server has answered", async () => {
    const seen = server(problem(503, "NO_WORKER"), problem(503, "NO_WORKER"), problem(503, "NO_WORKER"));
    const error = (await settled(apiFetch(post()))) as unknown as ProblemError;
    expect(error.problem.code).toBe("NO_WORKER");
    expect(seen).toHaveLength(1);
  });
  it.each([
    ["a problem without a code", () => problem(503)],
    ["a page", () => new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "Content-Type": "text/html" } })],
    ["JSON with a code of its own", () => ofProxy(504)],
  ])("that did not reach the server is sent thrice: %s", async (_what, answer) => {
    const seen = server(answer(), answer(), answer());
    const error = (await settled(apiFetch(post()))) as unknown as ProblemError;
    expect(error.problem.code).toBeFalsy();
    expect(seen).toHaveLength(3);
  });
  it("stops retrying after the limit", async () => {
    const seen = server("cut", "cut", "cut");
    const error = (await settled(apiFetch(post()))) as unknown as ProblemError;
    expect(error.problem.code).toBe("NO_ANSWER");
    expect(seen).toHaveLength(3);
  });
  it("keeps its idempotency key", async () => {
    const seen = server(new Response(null, { status: 202 }));
    await settled(apiFetch(post(changeHeaders(4, "mine"))));
    expect(seen[0]?.key).toBe("mine");
  });
});

it("names each change differently, in characters that a header may hold", () => {
  const keys = new Set(Array.from({ length: 100 }, newIdempotencyKey));
  expect(keys.size).toBe(100);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
});

it("sends the version of the decision, when there is one", () => {
  expect(changeHeaders(4)).toEqual({ "If-Match": '"4"' });
  expect(changeHeaders()).toEqual({});
});
