import { Trans } from "@lingui/react/macro";
import { Button, Title } from "@patternfly/react-core";
import type { ReactNode } from "react";
import type { Operation, ProblemFieldError } from "@/api/types";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { PlanView } from "./PlanView";
import type { PlanRequest } from "./usePlanRequest";

interface Props<K extends Operation> {
  choices: PlanRequest<K>;
  /** Shown instead of a plan while the choices are incomplete. */
  incomplete?: string | undefined;
  /** Errors of the plan that no field shows. */
  rest?: ProblemFieldError[] | undefined;
  /** The result of the last attempt to start. */
  children?: ReactNode;
}

export function PlanSection<K extends Operation>({ choices, incomplete, rest, children }: Props<K>) {
  const { planning, input, resting, ready, failure } = choices;
  return (
    <>
      <Title headingLevel="h2" size="lg">
        <Trans>Plan</Trans>
      </Title>
      {children}
      {resting && !input && incomplete && <p className="vm-quiet">{incomplete}</p>}
      {(planning.pending || !resting) && (
        <LoadingNote>
          <Trans>Planning on the cloud…</Trans>
        </LoadingNote>
      )}
      {failure && (
        <ProblemAlert error={failure} rest={rest}>
          <Button variant="link" isInline onClick={planning.again}>
            <Trans>Plan again</Trans>
          </Button>
        </ProblemAlert>
      )}
      {ready && planning.plan?.result && <PlanView result={planning.plan.result} />}
    </>
  );
}
