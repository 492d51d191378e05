import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { alarmUpdate } from "@/api/callsFaults";
import { keys } from "@/api/keys";
import type { Alarm, AlarmChange } from "@/api/types";
import { ChangeButton } from "@/ui/ActionButton";
import { ACKNOWLEDGED } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";

export function useAlarmUpdate() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ alarm, change }: { alarm: Alarm; change: AlarmChange }) => alarmUpdate(alarm.id, change),
    onSuccess: (changed) => {
      client.setQueryData(keys.alarm(changed.id), changed);
      return client.invalidateQueries({ queryKey: keys.alarms });
    },
  });
}

export const otherAck = (alarm: Alarm): AlarmChange => ({
  ackState: alarm.ackState === "ACKNOWLEDGED" ? "UNACKNOWLEDGED" : "ACKNOWLEDGED",
});

interface Props {
  alarm: Alarm;
  busy: boolean;
  onAck: () => void;
}
export function Ack({ alarm, busy, onAck }: Props) {
  const button = { size: "sm", isLoading: busy, onClick: () => !busy && onAck() } as const;
  if (alarm.ackState !== "ACKNOWLEDGED") {
    return (
      <ChangeButton {...button} variant="link" isInline aria-label={t`Acknowledge ${alarm.probableCause}`}>
        <Trans>Acknowledge</Trans>
      </ChangeButton>
    );
  }
  return (
    <span className="vm-labels">
      <StateLabel look={ACKNOWLEDGED} />
      {alarm.acknowledgedBy && <span className="vm-quiet">{alarm.acknowledgedBy}</span>}
      <ChangeButton {...button} variant="link" isInline aria-label={t`Unacknowledge ${alarm.probableCause}`}>
        <Trans>Unacknowledge</Trans>
      </ChangeButton>
    </span>
  );
}
