import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Radio } from "@patternfly/react-core";
import { useState, type ReactNode } from "react";
import { opOccCancel } from "@/api/calls";
import type { CancelMode, OpOcc } from "@/api/types";
import { Since } from "@/ui/Time";
import { ConfirmDialog } from "@/ui/ConfirmDialog";

type Running = Pick<OpOcc, "id" | "operationState" | "deadline"> & { waitingSince?: string | null };
interface Props {
  occ: Running;
  /** Names the operation if there are several. */
  name?: string;
  onDone: () => void;
  onClose: () => void;
}

function modesOf({ waitingSince, deadline }: Running): { mode: CancelMode; text: string; help: ReactNode }[] {
  const last = (
    <>
      {" "}
      <Trans>
        It waits for the cloud until <Since at={deadline} /> at most.
      </Trans>
    </>
  );
  return [
    {
      mode: "GRACEFUL",
      text: t`Graceful`,
      help: (
        <>
          <Trans>The running step finishes; no other step starts.</Trans>
          {waitingSince && last}
        </>
      ),
    },
    {
      mode: "FORCEFUL",
      text: t`Forceful`,
      help: t`The running step is abandoned. The cloud may continue it for a while.`,
    },
  ];
}

/** While the cloud is unreachable a graceful cancellation would wait, so the forceful one is proposed. */
export function CancelDialog({ occ, name = t`this operation`, onDone, onClose }: Props) {
  const [mode, setMode] = useState<CancelMode>(occ.waitingSince ? "FORCEFUL" : "GRACEFUL");
  const after =
    occ.operationState === "STARTING"
      ? t`Nothing has been changed yet: the operation ends as rolled back.`
      : t`Then the operation needs a decision: retry, roll back or fail.`;
  return (
    <ConfirmDialog
      title={t`Cancel ${name}`}
      button={t`Cancel operation`}
      closeText={t`Keep it running`}
      run={() => opOccCancel(occ.id, mode)}
      onDone={onDone}
      onClose={onClose}
    >
      <div className="vm-stack">
        <div className="vm-radios" role="radiogroup" aria-label={t`Notification`}>
          {modesOf(occ).map((each) => (
            <Radio
              key={each.mode}
              id={`cancel-${each.mode}`}
              name="cancel-mode"
              label={each.text}
              description={each.help}
              isChecked={mode === each.mode}
              onChange={() => setMode(each.mode)}
            />
          ))}
        </div>
        <p>{after}</p>
      </div>
    </ConfirmDialog>
  );
}
