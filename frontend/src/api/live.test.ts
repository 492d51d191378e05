import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createInvalidator, noteDeleted, parseChange } from "./live";
import { keys } from "./keys";
import { networkKeys } from "./network";

const client = new QueryClient();
const stale = (key: readonly string[]) => client.getQueryState(key)?.isInvalidated ?? false;

beforeEach(() => {
  vi.useFakeTimers();
  client.clear();
  client.setQueryData(keys.vnfInstances, []);
  client.setQueryData(keys.vnfInstance("a"), { version: 5 });
  client.setQueryData(keys.vnfInstance("b"), { version: 5 });
  client.setQueryData(keys.alarms, []);
  client.setQueryData([...keys.opOccs, "of", "a"], []);
});
afterEach(() => vi.useRealTimers());

it("invalidates the event's object and its lists only", () => {
  const { on } = createInvalidator(client);
  on({ topic: "vnf_instance.changed", id: "a", version: 6 });
  vi.advanceTimersByTime(1000);
  expect([stale(keys.vnfInstance("a")), stale(keys.vnfInstances)]).toEqual([true, true]);
  expect([stale(keys.vnfInstance("b")), stale(keys.alarms)]).toEqual([false, false]);
});

it("does not read again what was deleted, also where the event was first", () => {
  const other = new QueryClient();
  for (const key of [keys.vnfInstances, keys.vnfInstance("a"), keys.vnfInstance("b")]) other.setQueryData(key, {});
  const { on } = createInvalidator(other);
  on({ topic: "vnf_instance.changed", id: "a", version: 6 });
  noteDeleted(other, "a");
  noteDeleted(other, "b");
  on({ topic: "vnf_instance.changed", id: "b", version: 6 });
  vi.advanceTimersByTime(1000);
  const isStale = (key: readonly string[]) => other.getQueryState(key)?.isInvalidated;
  expect([isStale(keys.vnfInstance("a")), isStale(keys.vnfInstance("b"))]).toEqual([false, false]);
  expect(isStale(keys.vnfInstances)).toBe(true);
});

it("reaches every list of operations", () => {
  const { on } = createInvalidator(client);
  on({ topic: "op_occ.changed", id: "x", version: 1 });
  vi.advanceTimersByTime(1000);
  expect(stale([...keys.opOccs, "of", "a"])).toBe(true);
});

it.each(["alarm.changed", "network_element.changed", "site.changed"] as const)("has the tree follow %s", (topic) => {
  const sites = [...networkKeys.sites, ""];
  client.setQueryData(sites, { rows: [] });
  const { on } = createInvalidator(client);
  on({ topic, id: "x", version: 1 });
  vi.advanceTimersByTime(1000);
  expect(stale(sites)).toBe(true);
});

it("refetches the counts of an element's parts after its alarms", () => {
  const parts = [...networkKeys.parts, "ne1"];
  client.setQueryData(parts, []);
  const { on } = createInvalidator(client);
  on({ topic: "alarm.changed", id: "x", version: 1 });
  vi.advanceTimersByTime(1000);
  expect(stale(parts)).toBe(true);
});

it("ignores events older than the data", () => {
  const { on } = createInvalidator(client);
  on({ topic: "vnf_instance.changed", id: "a", version: 4 });
  vi.advanceTimersByTime(1000);
  expect(stale(keys.vnfInstance("a"))).toBe(false);
});

it("coalesces a burst into one refetch of each list", () => {
  const invalidate = vi.spyOn(client, "invalidateQueries");
  const { on } = createInvalidator(client);
  for (let n = 0; n < 200; n += 1) on({ topic: "alarm.changed", id: String(n), version: 1 });
  vi.advanceTimersByTime(1000);
  const lists = invalidate.mock.calls.filter(([asked]) => asked?.queryKey?.[0] === "alarms");
  expect(lists).toHaveLength(1);
  invalidate.mockRestore();
});

it("refetches a list once a second in a storm, and once after it", () => {
  const invalidate = vi.spyOn(client, "invalidateQueries");
  const { on } = createInvalidator(client);
  for (let n = 0; n < 300; n += 1) {
    on({ topic: "site.changed", id: String(n), version: 1 });
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(2000);
  const reads = (key: string) => invalidate.mock.calls.filter(([asked]) => asked?.queryKey?.[0] === key).length;
  expect(reads("sites")).toBeGreaterThanOrEqual(3);
  expect(reads("sites")).toBeLessThanOrEqual(5);
  expect([2, 3]).toContain(reads("topology"));
  invalidate.mockRestore();
});

it("refetches counts by part and site every five seconds in a storm, and once after it", () => {
  const invalidate = vi.spyOn(client, "invalidateQueries");
  const { on } = createInvalidator(client);
  const reads = (key: string) => invalidate.mock.calls.filter(([asked]) => asked?.queryKey?.[0] === key).length;
  const counts = () => [reads("alarm_parts"), reads("alarm_sites")];
  on({ topic: "alarm.changed", id: "0", version: 1 });
  vi.advanceTimersByTime(200);
  expect(counts()).toEqual([1, 1]);
  for (let n = 1; n <= 400; n += 1) {
    on({ topic: "alarm.changed", id: String(n), version: 1 });
    vi.advanceTimersByTime(10);
  }
  expect(counts()).toEqual([1, 1]);
  expect(reads("alarms")).toBeGreaterThanOrEqual(4);
  vi.advanceTimersByTime(2000);
  expect(counts()).toEqual([2, 2]);
  vi.advanceTimersByTime(20_000);
  expect(counts()).toEqual([2, 2]);
  invalidate.mockRestore();
});

it("waits for a slow answer, then refetches once, however many events come", async () => {
  const { on } = createInvalidator(client);
  const answers: (() => void)[] = [];
  const read = vi.fn((): Promise<number> => new Promise((resolve) => answers.push(() => resolve(answers.length))));
  const observer = new QueryObserver(client, { queryKey: [...keys.alarms, "page", {}], queryFn: read });
  const forget = observer.subscribe(() => undefined);
  expect(read).toHaveBeenCalledTimes(1);
  for (let n = 0; n < 50; n += 1) {
    on({ topic: "alarm.changed", id: String(n), version: 1 });
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(read).toHaveBeenCalledTimes(1);
  answers[0]?.();
  await vi.advanceTimersByTimeAsync(2000);
  expect(observer.getCurrentResult().data).toBe(1);
  expect(read).toHaveBeenCalledTimes(2);
  answers[1]?.();
  await vi.advanceTimersByTimeAsync(5000);
  expect(read).toHaveBeenCalledTimes(2);
  forget();
});

it("lets a running fetch of the map end, then fetches once more", () => {
  const { on } = createInvalidator(client);
  const fetching = vi.spyOn(client, "isFetching").mockReturnValue(1);
  const invalidate = vi.spyOn(client, "invalidateQueries");
  on({ topic: "network_element.changed", id: "a", version: 1 });
  vi.advanceTimersByTime(4000);
  const looks = () => invalidate.mock.calls.filter(([asked]) => asked?.queryKey?.[0] === "topology").length;
  expect(looks()).toBe(0);
  fetching.mockReturnValue(0);
  vi.advanceTimersByTime(4000);
  expect(looks()).toBe(1);
  fetching.mockRestore();
  invalidate.mockRestore();
});

it.each(["not json", "null", '{"topic":"unheard.of","id":"a"}', '{"topic":"alarm.changed"}'])("ignores %s", (data) => {
  expect(parseChange({ id: "1", event: "x", data })).toBeUndefined();
});
