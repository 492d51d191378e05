import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Title } from "@patternfly/react-core";
import type { Setting } from "@/api/types";
import { PlanView } from "@/features/plans/PlanView";
import type { Planning } from "@/features/plans/usePlan";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";

interface Props {
  planning: Planning;
  submitError: unknown;
  settings: readonly Setting[];
}

/** Errors of fields are shown at the fields and not here. */
export function PlanStep({ planning, submitError, settings }: Props) {
  const { plan, pending, error, again } = planning;
  const failed = error ?? (plan?.state === "FAILED" ? (plan.problem ?? new Error(t`The plan failed.`)) : undefined);
  return (
    <>
      <Title headingLevel="h2" size="xl" className="vm-wizard-title" tabIndex={-1}>
        <Trans>Plan</Trans>
      </Title>
      {submitError !== null && submitError !== undefined && <ProblemAlert error={submitError} />}
      {pending && (
        <LoadingNote>
          <Trans>Planning on the cloud…</Trans>
        </LoadingNote>
      )}
      {failed && (
        <ProblemAlert error={failed}>
          <Button variant="link" isInline onClick={again}>
            <Trans>Plan again</Trans>
          </Button>
        </ProblemAlert>
      )}
      {plan?.state === "READY" && plan.result && <PlanView result={plan.result} settings={settings} />}
    </>
  );
}
