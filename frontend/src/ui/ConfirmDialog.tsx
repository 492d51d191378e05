import { t } from "@lingui/core/macro";
import { Button, Form, Modal, ModalBody, ModalFooter, ModalHeader } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { useId, useState, type ReactNode } from "react";
import { useIsOffline } from "@/api/connection";
import { isStatus } from "@/api/http";
import { Conflict } from "./Conflict";
import { ProblemAlert } from "./Problem";
import { isTyped, TypedName } from "./TypedName";

interface Props {
  title: string;
  button: string;
  danger?: boolean;
  closeText?: string;
  /** The user has to type this name first. */
  typed?: { name: string; label: string };
  run: () => Promise<unknown>;
  onDone: () => void | Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before an action that cannot be undone; a refusal is shown in the dialog. */
export function ConfirmDialog(props: Props) {
  const { title, button, danger = true, closeText = t`Cancel`, typed, run, onDone, onClose, children } = props;
  const id = useId();
  const [text, setText] = useState("");
  const offline = useIsOffline();
  const act = useMutation({ mutationFn: run, onSuccess: onDone });
  return (
    <Modal
      isOpen
      variant="small"
      onClose={onClose}
      aria-labelledby={id}
      {...(typed ? { elementToFocus: "#confirm-name" } : {})}
    >
      <ModalHeader title={title} labelId={id} {...(danger ? { titleIconVariant: "warning" } : {})} />
      <ModalBody>
        <div className="vm-stack">
          <div>{children}</div>
          {typed && (
            <Form onSubmit={(event) => event.preventDefault()}>
              <TypedName id="confirm-name" {...typed} value={text} onChange={setText} />
            </Form>
          )}
          {act.isError &&
            (isStatus(act.error, 412) ? (
              <Conflict error={act.error} level="h2" onLook={onClose} />
            ) : (
              <ProblemAlert error={act.error} level="h2" />
            ))}
        </div>
      </ModalBody>
      <ModalFooter>
        <Button
          variant={danger ? "danger" : "primary"}
          isLoading={act.isPending}
          isDisabled={act.isPending || offline || (typed !== undefined && !isTyped(text, typed.name))}
          onClick={() => act.mutate()}
        >
          {button}
        </Button>
        <Button variant="link" onClick={onClose}>
          {closeText}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
