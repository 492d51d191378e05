import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { useId, type ReactNode } from "react";
import { ProblemAlert } from "@/ui/Problem";

interface Props {
  title: string;
  button: string;
  danger?: boolean;
  run: () => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks once before something that cannot be taken back; a refusal is shown in place. */
export function ConfirmDialog({ title, button, danger = true, run, onDone, onClose, children }: Props) {
  const id = useId();
  const act = useMutation({ mutationFn: run, onSuccess: onDone });
  return (
    <Modal isOpen variant="small" onClose={onClose} aria-labelledby={id}>
      <ModalHeader title={title} labelId={id} {...(danger ? { titleIconVariant: "warning" } : {})} />
      <ModalBody>
        {children}
        {act.isError && <ProblemAlert error={act.error} level="h2" />}
      </ModalBody>
      <ModalFooter>
        <Button
          variant={danger ? "danger" : "primary"}
          isLoading={act.isPending}
          isDisabled={act.isPending}
          onClick={() => act.mutate()}
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
