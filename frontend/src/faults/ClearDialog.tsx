import type { Alarm } from "@/api/types";
import { ConfirmDialog } from "@/forms/confirm";
import { plural } from "@/ui/format";

interface Props {
  alarms: readonly Alarm[];
  run: () => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before alarms are cleared by hand. */
export function ClearDialog({ alarms, run, onDone, onClose }: Props) {
  const critical = alarms.filter(({ perceivedSeverity }) => perceivedSeverity === "CRITICAL").length;
  return (
    <ConfirmDialog
      title={`Clear ${plural(alarms.length, "alarm")}`}
      button="Clear"
      run={run}
      onDone={onDone}
      onClose={onClose}
    >
      {critical === 0 ? "None of them is critical." : `Critical: ${critical} of ${alarms.length}.`} What is cleared does
      not come back while its condition stays as it is.
    </ConfirmDialog>
  );
}
