import type { CounterSeries, Interface } from "@/api/types";
import { SYSTEM } from "@/features/performance/counters";

const called = ({ name, ifIndex }: Interface): string => name || String(ifIndex);

/**
 * What the counters of an interface are kept under: its name (ifName, else ifDescr), its number where it has none, and
 * both where several have the name, or it is called as the element's own.
 */
export function countedName(of: Interface, all: readonly Interface[]): string {
  const own = called(of);
  const isOfOne = all.filter((each) => called(each) === own).length === 1;
  return isOfOne && own !== SYSTEM ? own : `${own} (${of.ifIndex})`;
}

/** Readings are a minute apart; one that is so late was missed. */
const LATE_MS = 150_000;

export interface LastCounted {
  values: CounterSeries["points"][number]["values"];
  until: string;
  /** Nothing is known since then. */
  isLate: boolean;
}

/** The last step of a series in which anything was counted, as seen at `now`; undefined where there is none. */
export function lastCounted({ points, step }: CounterSeries, now: number): LastCounted | undefined {
  const last = points.findLast(({ seconds }) => seconds > 0);
  if (!last) return undefined;
  const until = Math.min(Date.parse(last.at) + step * 1000, Math.max(now, Date.parse(last.at)));
  return { values: last.values, until: new Date(until).toISOString(), isLate: now - until > LATE_MS };
}
