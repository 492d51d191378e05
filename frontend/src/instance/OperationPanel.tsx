import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { opOccFail, opOccRetry, opOccRollback } from "@/api/calls";
import { keys } from "@/api/queries";
import type { OpOcc, Step } from "@/api/types";
import { ConfirmDialog } from "@/forms/confirm";
import { ActionButton, actionOf } from "@/ui/ActionButton";
import { ProblemAlert } from "@/ui/Problem";
import { lookOf, OPERATION, OPERATION_STATE, STEP_STATE } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago, Elapsed } from "@/ui/Time";

function StepRow({ step }: { step: Step }) {
  const look = lookOf(STEP_STATE, step.state);
  const Icon = look.icon;
  return (
    <li className={`vm-step vm-step-${step.state.toLowerCase()}`} aria-current={look.moving ? "step" : undefined}>
      <span className={`vm-step-icon vm-color-${look.color}${look.moving ? " vm-moving" : ""}`}>
        <Icon />
      </span>
      <span className="vm-step-text">
        <span className="vm-step-title">{step.title}</span>
        <span className="vm-step-state">
          {look.text}
          {step.attempts > 1 && `, attempt ${step.attempts}`}
        </span>
        {step.message && <span className="vm-step-message">{step.message}</span>}
        {step.problem && <ProblemAlert error={step.problem} />}
      </span>
      <span className="vm-step-time">{step.startedAt && <Elapsed from={step.startedAt} to={step.finishedAt} />}</span>
    </li>
  );
}

/** The numbered steps of an operation with the cloud's own words, as they happen. */
export function StepList({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="vm-steps" aria-label="Steps">
      {steps.map((step) => (
        <StepRow key={step.seq} step={step} />
      ))}
    </ol>
  );
}

const CHOICES = [
  { name: "retry", text: "Retry", variant: "primary" },
  { name: "rollback", text: "Roll back", variant: "secondary" },
  { name: "fail", text: "Mark as failed", variant: "secondary" },
] as const;

/** What may be done about an operation that waits for a decision: SOL003 clauses 5.4.14 to 5.4.16. */
function Decisions({ occ }: { occ: OpOcc }) {
  const client = useQueryClient();
  const [failing, setFailing] = useState(false);
  const refresh = () => {
    void client.invalidateQueries({ queryKey: keys.opOcc(occ.id) });
    void client.invalidateQueries({ queryKey: keys.opOccs });
    void client.invalidateQueries({ queryKey: keys.vnfInstance(occ.vnfInstanceId) });
  };
  const act = useMutation({
    mutationFn: (name: "retry" | "rollback") => (name === "retry" ? opOccRetry(occ.id) : opOccRollback(occ.id)),
    onSuccess: refresh,
  });
  const offered = CHOICES.filter(({ name }) => actionOf(occ.actions, name));
  if (occ.operationState !== "FAILED_TEMP" && !offered.some(({ name }) => actionOf(occ.actions, name)?.enabled))
    return null;
  return (
    <div className="vm-stack">
      {act.isError && <ProblemAlert error={act.error} />}
      <div className="vm-buttons" role="group" aria-label="Decide">
        {offered.map(({ name, text, variant }) => (
          <ActionButton
            key={name}
            action={actionOf(occ.actions, name)}
            variant={variant}
            isLoading={act.isPending && act.variables === name}
            onClick={() => (name === "fail" ? setFailing(true) : act.mutate(name))}
          >
            {text}
          </ActionButton>
        ))}
      </div>
      {failing && (
        <ConfirmDialog
          title="Mark this operation as failed"
          button="Mark as failed"
          run={() => opOccFail(occ.id)}
          onDone={() => {
            setFailing(false);
            refresh();
          }}
          onClose={() => setFailing(false)}
        >
          The operation ends here. What it made in the cloud stays as it is, and it can be neither retried nor rolled
          back.
        </ConfirmDialog>
      )}
    </div>
  );
}

export function operationTitle(occ: Pick<OpOcc, "operation">): string {
  return OPERATION[occ.operation] ?? occ.operation;
}

/** An operation: its state, its steps as they go, its problem, and what may be decided about it. */
export function OperationPanel({ occ, link }: { occ: OpOcc; link?: ReactNode }) {
  const look = lookOf(OPERATION_STATE, occ.operationState);
  const done = occ.steps.filter((step) => step.state === "DONE").length;
  return (
    <section className={`vm-operation vm-edge-${look.color}`} aria-label={`Operation ${operationTitle(occ)}`}>
      <div className="vm-operation-head">
        <h2>{operationTitle(occ)}</h2>
        <span role="status">
          <StateLabel look={look} />
        </span>
        <span className="vm-quiet">
          {done} of {occ.steps.length} steps · started <Ago at={occ.startTime} /> · {look.moving ? "for" : "took"}{" "}
          <Elapsed from={occ.startTime} to={look.moving ? undefined : occ.stateEnteredTime} />
        </span>
        {link}
      </div>
      {occ.error && (
        <ProblemAlert error={occ.error} variant={occ.operationState === "FAILED_TEMP" ? "warning" : "danger"} />
      )}
      <Decisions occ={occ} />
      <StepList steps={occ.steps} />
    </section>
  );
}
