import type { CounterSeries, Interface } from "@/api/types";
import { SYSTEM } from "@/features/performance/counters";

const called = ({ name, ifIndex }: Interface): string => name || String(ifIndex);

/**
 * Counters are stored under ifName, or ifDescr, or the ifIndex if there is no name, or both if several interfaces
 * share the name or it is that of the element itself.
 */
export function countedName(of: Interface, all: readonly Interface[]): string {
  const own = called(of);
  const isOfOne = all.filter((each) => called(each) === own).length === 1;
  return isOfOne && own !== SYSTEM ? own : `${own} (${of.ifIndex})`;
}

/** Readings are a minute apart; after this time one was missed. */
const LATE_MS = 150_000;

export interface LastCounted {
  values: CounterSeries["points"][number]["values"];
  until: string;
  /** The counters are no longer read. */
  isLate: boolean;
}

/** `now` decides whether the step is late; undefined if nothing was counted. */
export function lastCounted({ points, step }: CounterSeries, now: number): LastCounted | undefined {
  const last = points.findLast(({ seconds }) => seconds > 0);
  if (!last) return undefined;
  const until = Math.min(Date.parse(last.at) + step * 1000, Math.max(now, Date.parse(last.at)));
  return { values: last.values, until: new Date(until).toISOString(), isLate: now - until > LATE_MS };
}
