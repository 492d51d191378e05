import type { Overview } from "@/api/frame";
import { pb } from "@/paths";
import { ELEMENT_STATE, INSTANTIATION, lookOf, MAP_STATE, SEVERITIES, SEVERITY, type Look } from "@/ui/states";
import type { Count } from "./Counts";

type Numbers = Record<string, number>;
const { UP, DEGRADED, DOWN, UNKNOWN } = MAP_STATE;
const named = (look: Look, text: string): Look => ({ ...look, text });

const AVAILABILITY: readonly (readonly [string, Look])[] = [
  ["DOWN", named(DOWN, "Not available")],
  ["DEGRADED", named(DEGRADED, "Available, degraded")],
  ["UNKNOWN", UNKNOWN],
  ["RUNNING", named(UP, "Available")],
  ["NOT_INSTANTIATED", INSTANTIATION.NOT_INSTANTIATED],
];
/** No list can be asked for those whose last answer is too old: neither they nor the reachable ones have a link. */
const ELEMENTS: readonly (readonly [string, Look, string?])[] = [
  ["UNREACHABLE", named(DOWN, "Unreachable"), pb.elementsReachable("False")],
  ["UNKNOWN", UNKNOWN],
  ["REACHABLE", named(UP, "Reachable")],
  ["SUSPENDED", lookOf(ELEMENT_STATE, "SUSPENDED")],
  ["UNMANAGED", lookOf(ELEMENT_STATE, "UNMANAGED")],
];

export const sum = (numbers: Numbers): number => Object.values(numbers).reduce((a, b) => a + b, 0);

export const instanceCounts = ({ instances }: Overview): Count[] =>
  AVAILABILITY.map(([key, look]) => ({ look, value: instances[key] ?? 0 }));

export const elementCounts = ({ elements }: Overview): Count[] =>
  ELEMENTS.map(([key, look, to]) => ({ look, value: elements[key] ?? 0, ...(to ? { to } : {}) }));

export const alarmCounts = ({ alarms }: Overview): Count[] =>
  SEVERITIES.filter((severity) => severity !== "CLEARED").map((severity) => ({
    look: SEVERITY[severity],
    value: alarms[severity] ?? 0,
    to: pb.alarmsOf(severity),
  }));

export function cloudCounts({ clouds }: Overview): Count[] {
  const being = (status: string) => clouds.filter(({ reachable }) => reachable.status === status).length;
  return [
    { look: named(DOWN, "Unreachable"), value: being("False") },
    { look: UNKNOWN, value: being("Unknown") },
    { look: named(UP, "Reachable"), value: being("True") },
  ];
}
