import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createMock } from "../../mock-api/mock";
import { routes } from "../../mock-api/routes";
import { SENTINELS, setScenario } from "../../mock-api/sentinels";
import { nextPage } from "@/api/client";

const HOST = "http://127.0.0.1";
const SOURCES = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|__generated__|^testing/.test(path))
  .map((path) => readFileSync(join("src", path), "utf8"));

/** Finds operations of the typed client and addresses in literals. */
function get(): [method: string | undefined, path: string][] {
  const plain = (path: string) => path.replace(/\$?\{[^}]*\}/g, "x").replace(/[?$].*$/, "");
  return SOURCES.flatMap((text) => [
    ...[...text.matchAll(/api\.(GET|POST|PUT|PATCH|DELETE)\(\s*"([^"]+)"/g)].map(
      ([, method, path = ""]): [string | undefined, string] => [method, plain(path)],
    ),
    ...[...text.matchAll(/["`](\/(?:api|vnfpkgm|vnflcm|vnffm|vnfpm|vnfind)\/v[^"`\s]+)/g)].map(
      ([, path = ""]): [string | undefined, string] => [undefined, plain(path)],
    ),
  ]);
}

/** The mock answers the event stream before it looks at routes. */
const answered = ([method, path]: [string | undefined, string]): boolean =>
  path === "/api/v1/events" || routes.some(([own, pattern]) => (method ?? own) === own && pattern.test(path));

it("answers every operation that the console asks for", () => {
  const all = get();
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter((each) => !answered(each)).map(([method = "any", path]) => `${method} ${path}`)).toEqual([]);
});

it("documents every scenario word in the README", () => {
  const readme = readFileSync("README.md", "utf8");
  expect(Object.keys(SENTINELS).filter((word) => !readme.includes(`| \`${word}\``))).toEqual([]);
});

function browser(words: string) {
  const handle = createMock({ loggedIn: true });
  const ask = (path: string, init: RequestInit = {}, page = `${HOST}/alarms?mock=${words}`) =>
    handle(
      new Request(`${HOST}${path}`, {
        ...init,
        headers: { Referer: page, ...Object.fromEntries(new Headers(init.headers)) },
      }),
    );
  const change = () => ask("/api/v1/sites", { method: "POST", body: JSON.stringify({ name: "Berlin" }) });
  return { ask, change };
}
const LIST = "/api/v1/elements";

describe("scenario word in the address", () => {
  it.each([
    ["error-500", 500, 500],
    ["error-503", 503, 503],
    ["forbidden-403", 403, 403],
    ["missing-404", 404, 404],
    ["conflict-409", 200, 409],
    ["conflict-412", 200, 412],
    ["viewer", 200, 403],
    ["error-503:alarms", 200, 201],
    ["usual", 200, 201],
  ])("%s: reading gives %i, a change %i", async (word, reading, changing) => {
    const { ask, change } = browser(word);
    expect((await ask("/api/v1/session")).status).toBe(200);
    expect((await ask(LIST)).status).toBe(reading);
    expect((await change()).status).toBe(changing);
  });

  it("garbled and offline: the server gives no valid answer", async () => {
    const page = await browser("garbled").ask(LIST);
    expect([page.status, page.headers.get("Content-Type")]).toEqual([200, "text/html"]);
    await expect(browser("offline").ask(LIST)).rejects.toThrow("cut");
  });

  it("slow: answers take long", async () => {
    const { ask } = browser("slow-1s");
    const begun = Date.now();
    await ask(LIST);
    expect(Date.now() - begun).toBeGreaterThan(900);
  });

  it("held: answers wait until the scenario ends, others arrive", async () => {
    const { ask } = browser("held:/elements,held:/sites");
    const came: string[] = [];
    const answers = [LIST, "/api/v1/sites"].map(async (path) => {
      const { status } = await ask(path);
      came.push(`${path} ${status}`);
    });
    expect((await ask("/api/v1/vims")).status).toBe(200);
    setScenario("held:/sites");
    await answers[0];
    expect(came).toEqual([`${LIST} 200`]);
    setScenario("");
    await answers[1];
    expect(came.at(-1)).toBe("/api/v1/sites 200");
  });

  it("endless: no list of several pages ends", async () => {
    const { ask } = browser("endless");
    const nextOf = ({ headers }: Response) => nextPage(headers.get("Link"));
    expect(nextOf(await ask(LIST))).toBeUndefined();
    const second = await ask(`${LIST}?sort=name&nextpage_opaque_marker=100`);
    expect(await second.json()).toEqual([]);
    expect(nextOf(second)).toBe(`${LIST}?sort=name&nextpage_opaque_marker=101`);
    const third = await ask(nextOf(second) ?? "");
    expect([await third.json(), nextOf(third)]).toEqual([[], `${LIST}?sort=name&nextpage_opaque_marker=102`]);
  });

  it("ends the session where it names it", async () => {
    const { ask } = browser("error-500:session");
    expect((await ask("/api/v1/session")).status).toBe(500);
    expect((await ask(LIST)).status).toBe(200);
  });

  it("expired: the session ends once, a login starts another", async () => {
    const { ask } = browser("expired-401");
    await ask("/api/v1/session");
    expect((await ask(LIST)).status).toBe(401);
    const body = JSON.stringify({ username: "admin", password: "right" });
    expect((await ask("/api/v1/session", { method: "POST", body })).status).toBe(200);
    expect((await ask(LIST)).status).toBe(200);
  });

  it("stale: each page answers once", async () => {
    const { ask } = browser("stale");
    for (const status of [200, 500]) expect((await ask(LIST)).status).toBe(status);
    await ask("/api/v1/session");
    expect((await ask(LIST)).status).toBe(200);
  });

  it("opens another dataset, in which links stay", async () => {
    const { ask } = browser("empty");
    const first = await ask(LIST);
    expect(await first.json()).toEqual([]);
    const Cookie = first.headers.get("Set-Cookie") ?? "";
    expect(await (await ask(LIST, { headers: { Cookie } }, `${HOST}/elements`)).json()).toEqual([]);
    expect(await (await ask(LIST, { headers: { Cookie } }, `${HOST}/elements?mock=usual`)).json()).not.toEqual([]);
  });

  it("many: a large network comes page by page", async () => {
    const { ask } = browser("many");
    const alarms = await ask("/api/v1/alarms?sort=-alarmRaisedTime");
    expect(await alarms.json()).toHaveLength(100);
    expect(alarms.headers.get("Link")).toContain("next");
    const { instances, vms, elements } = (await (await ask("/api/v1/overview")).json()) as Record<
      string,
      Record<string, number>
    >;
    const sum = (counts = {}) => Object.values<number>(counts).reduce((a, b) => a + b, 0);
    expect([sum(instances), sum(vms), sum(elements)]).toEqual([2000, 10_000, 2000]);
  }, 90_000);
});

it("applies while typing, too", async () => {
  const { ask } = browser("");
  const typed = (name: string) => ask("/api/v1/sites", { method: "POST", body: JSON.stringify({ name }) });
  expect((await typed("lab-error-503")).status).toBe(503);
  expect((await typed("conflict-412")).status).toBe(412);
  expect((await ask(`${LIST}?filter=(cont,name,forbidden-403)`)).status).toBe(403);
});
