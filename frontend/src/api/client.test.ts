import { afterEach, expect, it, vi } from "vitest";
import { createQueryClient } from "./queries";
import { all, isTruncated, pages } from "./client";

afterEach(() => vi.unstubAllGlobals());

const NEXT = { Link: `<${location.origin}/api/v1/vnf_instances?nextpage_opaque_marker=x>; rel="next"` };
const page = (more: boolean) => new Response(JSON.stringify([{ id: "a" }]), { headers: more ? NEXT : {} });

/** Each page has one row. */
function read(pages: number) {
  let left = pages;
  const answer = () => Promise.resolve(page((left -= 1) > 0));
  vi.stubGlobal("fetch", answer);
  return all(answer().then(async (response) => ({ data: (await response.json()) as unknown, response })));
}

it("reports whether a list has rows beyond those loaded", async () => {
  const whole = await read(3);
  expect([whole.length, isTruncated(whole)]).toEqual([3, false]);
  const short = await read(1000);
  expect(short.length).toBeLessThan(1000);
  expect(isTruncated(short)).toBe(true);
});

it("keeps the gap over a refetch, and drops it when the list is complete", async () => {
  const client = createQueryClient();
  const ask = (pages: number) => client.query({ queryKey: ["rows"], queryFn: () => read(pages), staleTime: 0 });
  await ask(1000);
  await ask(1000);
  expect(isTruncated(client.getQueryData(["rows"]))).toBe(true);
  await ask(2);
  expect(isTruncated(client.getQueryData(["rows"]))).toBe(false);
});

it("finds each page of a list by the one before it, as that is now", async () => {
  const names = ["b", "c", "d", "e", "f"];
  /** A page has two names; the marker is the last name of the page before. */
  const read = (marker = "") => {
    const after = names.filter((name) => name > marker);
    return Promise.resolve({ rows: after.slice(0, 2), next: after.length > 2 ? after[1] : undefined });
  };
  const readAll = async (count: number) => (await pages(count, read)).map(({ rows }) => rows);
  expect(await readAll(2)).toEqual([
    ["b", "c"],
    ["d", "e"],
  ]);
  names.unshift("a");
  expect(await readAll(2)).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  expect((await readAll(9)).flat()).toEqual(names);
});
