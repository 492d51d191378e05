import { plural, t } from "@lingui/core/macro";
import type { Plan, PlanResource, Requests, VnfInstance } from "@/api/types";
import { buttonAction, type Button } from "@/features/instances/instanceActions";

/** Each instance gets an operation of its own. */
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

/** An instance is ready with its plan, or left out for a reason. */
export type Outcome =
  | { ready: true; instance: VnfInstance; steps: number; deleted: readonly string[]; others: number }
  | { ready: false; why: string };

const isGone = ({ action }: PlanResource): boolean => action === "delete" || action === "replace";

/** VNFCs are listed by name; other resources are counted. */
export function outcomeOf(instance: VnfInstance, { state, result, problem }: Plan): Outcome {
  if (state !== "READY" || !result) return { ready: false, why: problem?.detail ?? t`The plan failed.` };
  const gone = result.resources.filter(isGone);
  const deleted = gone.filter(({ type }) => type === "vnfc").map(({ name }) => name);
  return { ready: true, instance, steps: result.steps.length, deleted, others: gone.length - deleted.length };
}

/** The reason is known without a plan. */
export function whyLeftOut(operation: BulkOperation, instance: VnfInstance): string | undefined {
  const action = buttonAction(instance, BULK[operation].button);
  if (!action) return t`Not possible in the current state`;
  return action.enabled ? undefined : action.disabledReason || t`Not possible in the current state`;
}
