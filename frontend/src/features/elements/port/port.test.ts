import { describe, expect, it } from "vitest";
import type { CounterSeries, Interface } from "@/api/types";
import { countedName, lastCounted } from "./counterNames";

const named = (ifIndex: number, name: string) => ({ ifIndex, name }) as Interface;

describe("name of a counted object", () => {
  const all = [named(1, "1/1/1"), named(2, "system"), named(3, "system"), named(4, ""), named(5, "(element)")];
  it.each([
    [0, "1/1/1"],
    [1, "system (2)"],
    [3, "4"],
    [4, "(element) (5)"],
  ])("interface %s: %s", (at, expected) => {
    const interface_ = all[at];
    expect(interface_ && countedName(interface_, all)).toBe(expected);
  });
});

const series = (seconds: readonly number[]): CounterSeries => ({
  ...{ elementId: "", object: "1/1/1", step: 60, units: {} },
  points: seconds.map((each, index) => ({
    ...{ at: new Date(index * 60_000).toISOString(), seconds: each },
    values: { octetsIn: each === 0 ? null : index },
  })),
});
const at = (minutes: number) => new Date(minutes * 60_000).toISOString();

it("uses the last step with counters, and reports outdated ones", () => {
  expect(lastCounted(series([60, 60, 0]), Date.parse(at(3)))).toMatchObject({ until: at(2), isLate: false });
  expect(lastCounted(series([60, 0, 0, 0, 0, 0]), Date.parse(at(6)))).toMatchObject({ until: at(1), isLate: true });
  expect(lastCounted(series([0, 0]), 0)).toBeUndefined();
});
