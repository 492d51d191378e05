import { t } from "@lingui/core/macro";
import { useMemo } from "react";
import { asProblem } from "@/api/problem";
import type { Operation, PlanInput, ProblemDetails } from "@/api/types";
import { usePlan, type Planning } from "./usePlan";
import { useDebounced } from "@/ui/useDebounced";

export interface PlanRequest<K extends Operation> {
  planning: Planning;
  /** Undefined while the choices are incomplete. */
  input: PlanInput<K> | undefined;
  /** The choices are stable, so a plan belongs to what is on the screen. */
  resting: boolean;
  /** The user may agree to the plan. */
  ready: boolean;
  failure: ProblemDetails | undefined;
}

/** Requests are debounced, and repeated when the subject has changed. */
export function usePlanRequest<K extends Operation>(present: PlanInput<K> | undefined, basis?: number): PlanRequest<K> {
  const text = present ? JSON.stringify(present) : "";
  const settled = useDebounced(text);
  const input = useMemo(() => (settled ? (JSON.parse(settled) as PlanInput<K>) : undefined), [settled]);
  const planning = usePlan(input, basis);
  const resting = text === settled;
  const ready = resting && input !== undefined && planning.plan?.state === "READY";
  return { planning, input, resting, ready, failure: resting ? failureOf(planning) : undefined };
}

function failureOf({ plan, error }: Planning): ProblemDetails | undefined {
  if (error) return asProblem(error);
  return plan?.state === "FAILED" ? (plan.problem ?? asProblem(new Error(t`The plan failed.`))) : undefined;
}
