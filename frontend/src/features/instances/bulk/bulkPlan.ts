import { plural, t } from "@lingui/core/macro";
import type { Plan, PlanResource, Requests, VnfInstance } from "@/api/types";
import { buttonAction, type Button } from "@/features/instances/instanceActions";

/** Operations that may be begun on several instances: one of each, as the API has them. */
export type BulkOperation = "HEAL" | "SCALE_TO_LEVEL" | "TERMINATE";
export type BulkRequest = Requests[BulkOperation];

const countText = (count: number): string => plural(count, { one: "# VNF instance", other: "# VNF instances" });

export const BULK: Record<BulkOperation, { button: Button; text: string; title: (count: number) => string }> = {
  HEAL: { button: "heal", text: t`Heal`, title: (count) => t`Heal ${countText(count)}` },
  SCALE_TO_LEVEL: {
    button: "scale_to_level",
    text: t`Scale to level`,
    title: (count) => t`Scale ${countText(count)} to a level`,
  },
  TERMINATE: { button: "terminate", text: t`Terminate`, title: (count) => t`Terminate ${countText(count)}` },
};

/** What planning came to for one instance: it takes part with its plan, or is left out for a reason. */
export type Outcome =
  | { ready: true; instance: VnfInstance; steps: number; deleted: readonly string[]; others: number }
  | { ready: false; why: string };

const isGone = ({ action }: PlanResource): boolean => action === "delete" || action === "replace";

/** What a finished plan deletes or replaces: VNFCs by name, all else as a number. */
export function outcomeOf(instance: VnfInstance, { state, result, problem }: Plan): Outcome {
  if (state !== "READY" || !result) return { ready: false, why: problem?.detail ?? t`The plan failed.` };
  const gone = result.resources.filter(isGone);
  const deleted = gone.filter(({ type }) => type === "vnfc").map(({ name }) => name);
  return { ready: true, instance, steps: result.steps.length, deleted, others: gone.length - deleted.length };
}

/** Why an instance does not take part, before any plan. */
export function whyLeftOut(operation: BulkOperation, instance: VnfInstance): string | undefined {
  const action = buttonAction(instance, BULK[operation].button);
  if (!action) return t`Not possible in the current state`;
  return action.enabled ? undefined : action.disabledReason || t`Not possible in the current state`;
}
