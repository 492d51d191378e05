import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createInvalidator, parseChange } from "./live";
import { keys } from "./queries";

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

it("makes stale the object of the event and its lists, and nothing else", () => {
  const { on } = createInvalidator(client);
  on({ topic: "vnf_instance.changed", id: "a", version: 6 });
  vi.advanceTimersByTime(1000);
  expect([stale(keys.vnfInstance("a")), stale(keys.vnfInstances)]).toEqual([true, true]);
  expect([stale(keys.vnfInstance("b")), stale(keys.alarms)]).toEqual([false, false]);
});

it("reaches every list of operations", () => {
  const { on } = createInvalidator(client);
  on({ topic: "op_occ.changed", id: "x", version: 1 });
  vi.advanceTimersByTime(1000);
  expect(stale([...keys.opOccs, "of", "a"])).toBe(true);
});

it("leaves alone what is newer than the event", () => {
  const { on } = createInvalidator(client);
  on({ topic: "vnf_instance.changed", id: "a", version: 4 });
  vi.advanceTimersByTime(1000);
  expect(stale(keys.vnfInstance("a"))).toBe(false);
});

it("gathers a burst into one refetch of each list", () => {
  const invalidate = vi.spyOn(client, "invalidateQueries");
  const { on } = createInvalidator(client);
  for (let n = 0; n < 200; n += 1) on({ topic: "alarm.changed", id: String(n), version: 1 });
  vi.advanceTimersByTime(1000);
  expect(invalidate).toHaveBeenCalledOnce();
  invalidate.mockRestore();
});

it.each(["not json", "null", '{"topic":"unheard.of","id":"a"}', '{"topic":"alarm.changed"}'])("ignores %s", (data) => {
  expect(parseChange({ id: "1", event: "x", data })).toBeUndefined();
});
