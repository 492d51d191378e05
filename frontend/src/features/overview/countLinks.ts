import { t } from "@lingui/core/macro";
import type { Overview } from "@/api/frame";
import { HEALTH, HEALTHS } from "@/features/instances/health";
import { pb } from "@/paths";
import { ELEMENT_STATE, lookOf, MAP_STATE, SEVERITIES, SEVERITY, type Look } from "@/ui/states";
import type { Count } from "./StateCounts";

type Numbers = Record<string, number>;
const { UP, DOWN, UNKNOWN } = MAP_STATE;
const named = (look: Look, text: string): Look => ({ ...look, text });

const ELEMENTS: readonly (readonly [string, Look, string])[] = [
  ["UNREACHABLE", named(DOWN, t`Unreachable`), pb.elementsReachable("False")],
  ["UNKNOWN", UNKNOWN, pb.elementsReachable("Unknown")],
  ["REACHABLE", named(UP, t`Reachable`), pb.elementsReachable("True")],
  ["SUSPENDED", lookOf(ELEMENT_STATE, "SUSPENDED"), pb.elementsIn("SUSPENDED")],
  ["UNMANAGED", lookOf(ELEMENT_STATE, "UNMANAGED"), pb.elementsIn("UNMANAGED")],
];

export const sum = (numbers: Numbers): number => Object.values(numbers).reduce((a, b) => a + b, 0);

export const instanceCounts = ({ instances }: Overview): Count[] =>
  HEALTHS.map((key) => ({ look: HEALTH[key], value: instances[key] ?? 0, to: pb.instancesByHealth(key) }));

export const elementCounts = ({ elements }: Overview): Count[] =>
  ELEMENTS.map(([key, look, to]) => ({ look, value: elements[key] ?? 0, to }));

export const alarmCounts = ({ alarms }: Overview): Count[] =>
  SEVERITIES.filter((severity) => severity !== "CLEARED").map((severity) => ({
    look: SEVERITY[severity],
    value: alarms[severity] ?? 0,
    to: pb.alarmsOf(severity),
  }));

export function cloudCounts({ clouds }: Overview): Count[] {
  const being = (status: string) => clouds.filter(({ reachable }) => reachable.status === status).length;
  return CLOUDS.map(([status, look]) => ({ look, value: being(status), to: pb.vimsReachable(status) }));
}
const CLOUDS = [
  ["False", named(DOWN, t`Unreachable`)],
  ["Unknown", UNKNOWN],
  ["True", named(UP, t`Reachable`)],
] as const;
