/** Health is the condition Available, in the words of the overview and of the filter behind its counts. */
import { t } from "@lingui/core/macro";
import type { VnfInstanceSummary } from "@/api/types";
import { conditionOf } from "@/ui/Conditions";
import { BEING_CHANGED, INSTANTIATION, MAP_STATE, type Look } from "@/ui/states";

type Health = "DOWN" | "DEGRADED" | "UNKNOWN" | "RUNNING" | "CHANGING" | "NOT_INSTANTIATED";

const named = (look: Look, text: string): Look => ({ ...look, text });

/** The worst comes first. */
export const HEALTH: Record<Health, Look> = {
  DOWN: named(MAP_STATE.DOWN, t`Not available`),
  DEGRADED: named(MAP_STATE.DEGRADED, t`Available, degraded`),
  UNKNOWN: MAP_STATE.UNKNOWN,
  RUNNING: named(MAP_STATE.UP, t`Available`),
  CHANGING: BEING_CHANGED,
  NOT_INSTANTIATED: INSTANTIATION.NOT_INSTANTIATED,
};
export const HEALTHS = Object.keys(HEALTH) as Health[];

export function healthOf({
  instantiationState,
  conditions,
}: Pick<VnfInstanceSummary, "instantiationState" | "conditions">): Health {
  const available = conditionOf(conditions, "Available");
  if (available?.reason === "OperationRunning") return "CHANGING";
  if (instantiationState !== "INSTANTIATED" || available?.reason === "NotInstantiated") return "NOT_INSTANTIATED";
  if (!available || available.status === "Unknown") return "UNKNOWN";
  if (available.status === "False") return "DOWN";
  return available.reason === "Degraded" ? "DEGRADED" : "RUNNING";
}
