import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from "@patternfly/react-core";
import { useId, useState, type ReactNode } from "react";
import type { Task } from "@/api/calls";
import { useIsOffline } from "@/api/connection";
import { isStatus } from "@/api/http";
import { asProblem, splitFieldErrors, type FieldErrors } from "@/api/problem";
import type { PlannedRequests, VnfInstance } from "@/api/types";
import { Conflict } from "@/ui/Conflict";
import { ProblemAlert } from "@/ui/Problem";
import { deletedVnfcs } from "@/features/plans/Disruptions";
import { PlanSection } from "@/features/plans/PlanSection";
import { SummaryAtButton } from "@/features/plans/SummaryAtButton";
import { usePlanRequest } from "@/features/plans/usePlanRequest";
import type { Planning } from "@/features/plans/usePlan";
import { useTask, type Begin } from "./useTask";

interface Props<K extends Task> {
  instance: VnfInstance;
  operation: K;
  /** Undefined while the choices are incomplete. The plan and the operation get the same request. */
  request: PlannedRequests[K] | undefined;
  /** Needed if the request contains more than that of its plan. */
  begin?: Begin<K>;
  title: string;
  /** Label of the button that starts the operation. */
  button: string;
  danger?: boolean;
  /** False disables the button although the plan is ready, for example until a name is typed. */
  agreed?: boolean;
  /** Shown instead of a plan while the choices are incomplete. */
  incomplete?: string;
  /** Maps a JSON pointer of an error to a field of this dialog; without it all errors are shown above the plan. */
  fieldOf?: (parts: string[]) => string | undefined;
  onClose: () => void;
  /** The first field takes the focus when the dialog opens. */
  firstFieldId?: string;
  children: ReactNode | ((complaints: FieldErrors, planning: Planning) => ReactNode);
}

const NO_FIELD = () => undefined;

/** Shows choices, their plan and then the button. The operation reads the cloud again. */
export function OperationDialog<K extends Task>(props: Props<K>) {
  const { instance, operation, request, title, button, danger = false, agreed = true } = props;
  const { fieldOf = NO_FIELD, onClose, firstFieldId, children } = props;
  const id = useId();
  const offline = useIsOffline();
  const [opened] = useState(instance.version);
  const choices = usePlanRequest<K>(request && { operation, vnfInstanceId: instance.id, request }, instance.version);
  const { planning, input, ready, failure } = choices;
  const { start, lookAgain } = useTask(instance, operation, onClose, props.begin);
  // A refusal of an earlier choice must not stay visible.
  const refused = start.isError && start.variables === input?.request;
  const refusal = refused ? asProblem(start.error) : failure;
  const complaints = splitFieldErrors(refusal?.errors, fieldOf);
  const result = ready ? planning.plan?.result : undefined;
  const deleted = danger ? 0 : deletedVnfcs(result).length;
  return (
    <Modal
      isOpen
      variant="large"
      onClose={onClose}
      aria-labelledby={id}
      {...(firstFieldId ? { elementToFocus: `#${firstFieldId}` } : {})}
    >
      <ModalHeader title={title} labelId={id} {...(danger ? { titleIconVariant: "warning" } : {})} />
      <ModalBody>
        <div className="vm-stack">
          {typeof children === "function" ? children(complaints.fields, planning) : children}
          <PlanSection choices={choices} incomplete={props.incomplete} rest={complaints.rest}>
            {instance.version !== opened && (
              <p className="vm-quiet" role="status">
                <Trans>The instance has changed; this plan is for its current state.</Trans>
              </p>
            )}
            {refused &&
              (isStatus(start.error, 412) ? (
                <Conflict error={start.error} onLook={() => void lookAgain()} />
              ) : (
                <ProblemAlert error={start.error} rest={complaints.rest} />
              ))}
          </PlanSection>
        </div>
      </ModalBody>
      <ModalFooter className="vm-confirm">
        <Button
          variant={danger || deleted > 0 ? "danger" : "primary"}
          isDisabled={!ready || !agreed || start.isPending || offline}
          isLoading={start.isPending}
          aria-describedby={`${id}-summary`}
          onClick={() => input && start.mutate(input.request)}
        >
          {deleted === 0
            ? button
            : plural(deleted, { one: t`${button} and delete # VNFC`, other: t`${button} and delete # VNFCs` })}
        </Button>
        <Button variant="link" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <SummaryAtButton id={`${id}-summary`} summary={result?.summary} />
      </ModalFooter>
    </Modal>
  );
}
