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
  /** What it is called, where it is one of several. */
  name?: string;
  onDone: () => void;
  onClose: () => void;
}

function modesOf({ waitingSince, deadline }: Running): { mode: CancelMode; text: string; help: ReactNode }[] {
  const last = (
    <>
      {" "}
      <Trans>
        It waits for the cloud, at most until <Since at={deadline} />.
      </Trans>
    </>
  );
  return [
    {
      mode: "GRACEFUL",
      text: t`Graceful`,
      help: (
        <>
          <Trans>The step that runs may finish; no other begins.</Trans>
          {waitingSince && last}
        </>
      ),
    },
    {
      mode: "FORCEFUL",
      text: t`Forceful`,
      help: t`What runs is no longer waited for. The cloud may go on with it for a while.`,
    },
  ];
}

/** Asks how. While its cloud is away only the forceful way leads anywhere soon, so that it is proposed. */
export function CancelDialog({ occ, name = t`this operation`, onDone, onClose }: Props) {
  const [mode, setMode] = useState<CancelMode>(occ.waitingSince ? "FORCEFUL" : "GRACEFUL");
  const after =
    occ.operationState === "STARTING"
      ? t`Nothing has been touched yet: it ends as rolled back.`
      : t`Then it waits for a decision: retry, roll back, or mark as failed.`;
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
        <div className="vm-radios" role="radiogroup" aria-label={t`How`}>
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
