import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { Alarm } from "@/api/types";
import { ConfirmDialog } from "@/ui/ConfirmDialog";

interface Props {
  alarms: readonly Alarm[];
  run: () => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
}

export function ClearDialog({ alarms, run, onDone, onClose }: Props) {
  const critical = alarms.filter(({ perceivedSeverity }) => perceivedSeverity === "CRITICAL").length;
  return (
    <ConfirmDialog
      title={t`Clear ${plural(alarms.length, { one: "# alarm", other: "# alarms" })}`}
      button={t`Clear`}
      run={run}
      onDone={onDone}
      onClose={onClose}
    >
      <Trans>
        {critical === 0 ? t`None of them is critical.` : t`Critical: ${critical} of ${alarms.length}.`} A cleared alarm
        is not raised again while its condition persists.
      </Trans>
    </ConfirmDialog>
  );
}
