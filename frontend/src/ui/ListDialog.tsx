import { Trans } from "@lingui/react/macro";
import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from "@patternfly/react-core";
import { useId, type ReactNode } from "react";

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

export function ListDialog({ title, onClose, children }: Props) {
  const id = useId();
  return (
    <Modal isOpen variant="large" onClose={onClose} aria-labelledby={id}>
      <ModalHeader title={title} labelId={id} />
      <ModalBody>{children}</ModalBody>
      <ModalFooter>
        <Button variant="secondary" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </ModalFooter>
    </Modal>
  );
}
