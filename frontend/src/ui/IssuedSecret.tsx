import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Button, Modal, ModalBody, ModalFooter, ModalHeader } from "@patternfly/react-core";
import { useId, type ReactNode } from "react";
import { Copy } from "./Copy";

interface Props {
  title: string;
  secret: string;
  /** Label of the button that copies it. */
  copy: string;
  /** Says what to do when it is lost. */
  lost: ReactNode;
  /** Says how a program uses it. */
  use: ReactNode;
  onClose: () => void;
}

/** The API returns the secret only once. */
export function IssuedSecret({ title, secret, copy, lost, use, onClose }: Props) {
  const id = useId();
  return (
    <Modal isOpen variant="medium" onClose={onClose} aria-labelledby={id}>
      <ModalHeader title={title} labelId={id} />
      <ModalBody>
        <div className="vm-stack">
          <Alert isInline variant="warning" component="h3" title={t`Copy now: shown only once`} className="vm-alert">
            {lost}
          </Alert>
          <Copy text={secret} label={copy} />
          <p className="vm-quiet">{use}</p>
        </div>
      </ModalBody>
      <ModalFooter>
        <Button onClick={onClose}>
          <Trans>I have copied it</Trans>
        </Button>
      </ModalFooter>
    </Modal>
  );
}
