import { Button, Title } from "@patternfly/react-core";
import { PlanView } from "../plan/PlanView";
import type { Planning } from "../plan/usePlan";
import { Pending } from "@/ui/Pending";
import { ProblemAlert } from "@/ui/Problem";

/** The plan, or why there is none. Complaints about fields have already been brought to their fields. */
export function PlanStep({ planning, submitError }: { planning: Planning; submitError: unknown }) {
  const { plan, pending, error, again } = planning;
  const failed = error ?? (plan?.state === "FAILED" ? (plan.problem ?? new Error("The plan failed.")) : undefined);
  return (
    <>
      <Title headingLevel="h2" size="xl" className="vm-wizard-title" tabIndex={-1}>
        Plan
      </Title>
      {submitError !== null && submitError !== undefined && <ProblemAlert error={submitError} />}
      {pending && <Pending>Asking the cloud what would be created…</Pending>}
      {failed && (
        <ProblemAlert error={failed}>
          <Button variant="link" isInline onClick={again}>
            Plan again
          </Button>
        </ProblemAlert>
      )}
      {plan?.state === "READY" && plan.result && <PlanView result={plan.result} />}
    </>
  );
}
