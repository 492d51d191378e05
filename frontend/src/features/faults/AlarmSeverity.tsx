import { t } from "@lingui/core/macro";
import type { Alarm } from "@/api/types";
import { lookOf, SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";

/** A list has a column of its own that says whether the alarm is cleared. */
export function AlarmSeverity({ alarm, isInList = false }: { alarm: Alarm; isInList?: boolean }) {
  const cleared = alarm.alarmClearedTime !== null;
  return (
    <span className="vm-labels">
      {/* A cleared alarm keeps the severity that it had, as a hollow label. */}
      {alarm.perceivedSeverity !== "CLEARED" && (
        <StateLabel look={{ ...lookOf(SEVERITY, alarm.perceivedSeverity), filled: !cleared }} />
      )}
      {cleared && !isInList && <StateLabel look={SEVERITY.CLEARED} />}
      {alarm.suppression && <span className="vm-quiet">{SUPPRESSION[alarm.suppression]}</span>}
    </span>
  );
}

const SUPPRESSION: Record<Exclude<Alarm["suppression"], "">, string> = {
  OPERATION: t`suppressed: operation in progress`,
  MAINTENANCE: t`suppressed: maintenance`,
  DEBOUNCE: t`suppressed: debounce`,
};

const EVENT_TYPE: Record<string, string> = {
  COMMUNICATIONS_ALARM: t`Communications`,
  PROCESSING_ERROR_ALARM: t`Processing error`,
  ENVIRONMENTAL_ALARM: t`Environmental`,
  QOS_ALARM: t`Quality of service`,
  EQUIPMENT_ALARM: t`Equipment`,
};
export const eventTypeText = (type: string): string => EVENT_TYPE[type] ?? type;
