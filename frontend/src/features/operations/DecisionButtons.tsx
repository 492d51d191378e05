import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { opOccFail, opOccRetry, opOccRollback } from "@/api/calls";
import { isStatus } from "@/api/http";
import { keys } from "@/api/keys";
import type { OpOcc } from "@/api/types";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { CancelDialog } from "@/features/lifecycle/CancelDialog";
import { ActionButton, actionOf } from "@/ui/ActionButton";
import { Conflict } from "@/ui/Conflict";
import { ProblemAlert } from "@/ui/Problem";
import { operationText } from "@/ui/operationText";

const CHOICES = [
  { name: "retry", text: t`Retry`, variant: "primary" },
  { name: "rollback", text: t`Roll back`, variant: "secondary" },
  { name: "fail", text: t`Mark as failed`, variant: "secondary" },
] as const;

/** Texts of the two decisions that cannot be undone. */
const CONFIRM = {
  rollback: (name: string) => ({
    title: t`Roll back: ${name}`,
    button: t`Roll back`,
    children: t`The changes of this operation are undone. VNFCs that it created are deleted; VNFCs that it removed are recreated with new UUIDs.`,
  }),
  fail: (name: string) => ({
    title: t`Mark as failed: ${name}`,
    button: t`Mark as failed`,
    children: t`The operation ends. Its cloud resources stay as they are. It can be neither retried nor rolled back.`,
  }),
};

function useRefresh(occ: OpOcc) {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: keys.opOcc(occ.id) });
    void client.invalidateQueries({ queryKey: keys.opOccs });
    void client.invalidateQueries({ queryKey: keys.vnfInstance(occ.vnfInstanceId) });
  };
}

/** SOL003 clauses 5.4.14 to 5.4.16. */
export function DecisionButtons({ occ }: { occ: OpOcc }) {
  const [asked, setAsked] = useState<"rollback" | "fail">();
  const refresh = useRefresh(occ);
  const act = useMutation({ mutationFn: () => opOccRetry(occ.id, occ.version), onSuccess: refresh });
  if (occ.operationState !== "FAILED_TEMP") return null;
  const rollback = actionOf(occ.actions, "rollback");
  function close() {
    setAsked(undefined);
    refresh();
  }
  return (
    <div className="vm-stack">
      {act.isError &&
        (isStatus(act.error, 412) ? (
          <Conflict
            error={act.error}
            onLook={() => {
              act.reset();
              refresh();
            }}
          />
        ) : (
          <ProblemAlert error={act.error} />
        ))}
      <div className="vm-buttons" role="group" aria-label={t`Decide`}>
        {CHOICES.map(({ name, text, variant }) => (
          <ActionButton
            key={name}
            action={actionOf(occ.actions, name)}
            variant={variant}
            isLoading={act.isPending && name === "retry"}
            isDanger={name !== "retry"}
            onClick={() => (name === "retry" ? act.mutate() : setAsked(name))}
          >
            {text}
          </ActionButton>
        ))}
      </div>
      {rollback && !rollback.enabled && (
        <p className="vm-quiet">
          <Trans>It cannot be rolled back: {rollback.disabledReason}</Trans>
        </p>
      )}
      {asked && (
        <ConfirmDialog
          {...CONFIRM[asked](operationText(occ))}
          run={() => (asked === "fail" ? opOccFail : opOccRollback)(occ.id, occ.version)}
          onDone={close}
          onClose={close}
        />
      )}
    </div>
  );
}

/** SOL003 clause 5.4.17 cancels only a running operation. */
export function CancelButton({ occ }: { occ: OpOcc }) {
  const [open, setOpen] = useState(false);
  const refresh = useRefresh(occ);
  const action = actionOf(occ.actions, "cancel");
  if (!action?.enabled && !occ.isCancelPending) return null;
  return (
    <>
      <ActionButton action={action} variant="secondary" size="sm" onClick={() => setOpen(true)}>
        <Trans>Cancel operation</Trans>
      </ActionButton>
      {open && (
        <CancelDialog
          occ={occ}
          onDone={() => {
            setOpen(false);
            refresh();
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
