import { Alert } from "@patternfly/react-core";
import type { ReactNode } from "react";
import type { OpOcc } from "@/api/types";
import { ProblemAlert } from "@/ui/Problem";
import { lookOf, operationText, OPERATION_STATE } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago, Elapsed, Since } from "@/ui/Time";
import { CancelButton, Decisions } from "./Decisions";

/** Its cloud is away: nothing has failed, and nothing will before the deadline. */
function CloudAway({ since, until }: { since: string; until: string }) {
  return (
    <Alert
      isInline
      variant="info"
      component="h3"
      title={
        <>
          Waiting for the cloud since <Since at={since} />
        </>
      }
    >
      The operation goes on by itself when the cloud answers. If it stays silent until <Since at={until} />, the
      operation stops and waits for a decision.
    </Alert>
  );
}

const CANCELLING: Record<string, string> = {
  GRACEFUL: "Being cancelled: the step that runs may finish.",
  FORCEFUL: "Being cancelled by force.",
};

interface Props {
  occ: OpOcc;
  link?: ReactNode;
  /** Steps, or whatever else is told of the operation. */
  children: ReactNode;
}

/** An operation: its state, its problem, what it waits for, what may be decided about it, and its steps as they go. */
export function OperationPanel({ occ, link, children }: Props) {
  const look = lookOf(OPERATION_STATE, occ.operationState);
  const done = occ.steps.filter((step) => step.state === "DONE").length;
  return (
    <section className={`vm-operation vm-edge-${look.color}`} aria-label={`Operation ${operationText(occ)}`}>
      <div className="vm-operation-head">
        <h2>{operationText(occ)}</h2>
        <span role="status">
          <StateLabel look={look} />
        </span>
        <span className="vm-quiet">
          {done} of {occ.steps.length} steps · started <Ago at={occ.startTime} /> · {look.moving ? "for" : "took"}{" "}
          <Elapsed from={occ.startTime} to={look.moving ? undefined : occ.stateEnteredTime} />
        </span>
        {occ.isCancelPending && <span>{CANCELLING[occ.cancelMode ?? ""] ?? "Being cancelled."}</span>}
        {link}
        <CancelButton occ={occ} />
      </div>
      {occ.waitingSince && <CloudAway since={occ.waitingSince} until={occ.deadline} />}
      {occ.error && (
        <ProblemAlert error={occ.error} variant={occ.operationState === "FAILED_TEMP" ? "warning" : "danger"} />
      )}
      <Decisions occ={occ} />
      {children}
    </section>
  );
}
