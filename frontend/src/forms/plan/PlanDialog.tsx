import { Button, Modal, ModalBody, ModalFooter, ModalHeader, Title } from "@patternfly/react-core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, type ReactNode } from "react";
import { keys } from "@/api/queries";
import type { PlanInput } from "@/api/types";
import { Pending } from "@/ui/Pending";
import { ProblemAlert } from "@/ui/Problem";
import { PlanView } from "./PlanView";
import { usePlan } from "./usePlan";

interface Props {
  title: string;
  /** The button that starts the operation. */
  button: string;
  danger?: boolean;
  vnfInstanceId: string;
  /** What to plan for the choices above; nothing while they are incomplete. */
  input: PlanInput | undefined;
  /** False keeps the button off though the plan is ready (a name still to type). */
  agreed?: boolean;
  run: () => Promise<unknown>;
  onClose: () => void;
  /** The first field; it takes the focus when the dialog opens. */
  firstFieldId: string;
  children: ReactNode;
}

/** Choices on top, their plan below, and only then the button. The cloud is looked at again when it runs. */
export function PlanDialog(props: Props) {
  const {
    title,
    button,
    danger = false,
    vnfInstanceId,
    input,
    agreed = true,
    run,
    onClose,
    children,
    firstFieldId,
  } = props;
  const id = useId();
  const client = useQueryClient();
  const { plan, pending, error, again } = usePlan(input);
  const start = useMutation({
    mutationFn: run,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.vnfInstance(vnfInstanceId) });
      void client.invalidateQueries({ queryKey: keys.opOccs });
      onClose();
    },
  });
  const failed = error ?? (plan?.state === "FAILED" ? (plan.problem ?? new Error("The plan failed.")) : undefined);
  const ready = plan?.state === "READY";
  return (
    <Modal isOpen variant="large" elementToFocus={`#${firstFieldId}`} onClose={onClose} aria-labelledby={id}>
      <ModalHeader title={title} labelId={id} {...(danger ? { titleIconVariant: "warning" } : {})} />
      <ModalBody>
        <div className="vm-stack">
          {children}
          <Title headingLevel="h2" size="lg">
            Plan
          </Title>
          {start.isError && <ProblemAlert error={start.error} />}
          {pending && <Pending>Asking the cloud what would happen…</Pending>}
          {failed && (
            <ProblemAlert error={failed}>
              <Button variant="link" isInline onClick={again}>
                Plan again
              </Button>
            </ProblemAlert>
          )}
          {plan?.state === "READY" && plan.result && <PlanView result={plan.result} />}
        </div>
      </ModalBody>
      <ModalFooter>
        <Button
          variant={danger ? "danger" : "primary"}
          isDisabled={!ready || !agreed || start.isPending}
          isLoading={start.isPending}
          onClick={() => start.mutate()}
        >
          {button}
        </Button>
        <Button variant="link" onClick={onClose}>
          Cancel
        </Button>
      </ModalFooter>
    </Modal>
  );
}
