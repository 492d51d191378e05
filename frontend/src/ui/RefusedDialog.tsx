import { t } from "@lingui/core/macro";
import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from "@patternfly/react-core";
import { useId } from "react";

interface Props {
  title: string;
  reason: string;
  onClose: () => void;
}

/** An address asked for an action that the page does not have. */
export function UnknownActionDialog({ name, onClose }: { name: string; onClose: () => void }) {
  return (
    <RefusedDialog
      title={t`Unknown action`}
      reason={t`The address asks for the action “${name}”, which this page does not have. Use its buttons or its menu.`}
      onClose={onClose}
    />
  );
}

/** An address asked for an action that is not possible. Its button would be disabled, but the user did not click it. */
export function RefusedDialog({ title, reason, onClose }: Props) {
  const id = useId();
  return (
    <Modal isOpen variant="small" onClose={onClose} aria-labelledby={id}>
      <ModalHeader title={title} labelId={id} />
      <ModalBody>{reason}</ModalBody>
      <ModalFooter>
        <Button onClick={onClose}>{t`Close`}</Button>
      </ModalFooter>
    </Modal>
  );
}
