import { plural, t } from "@lingui/core/macro";
import { Plural } from "@lingui/react/macro";
import { Alert } from "@patternfly/react-core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { alarmBulk } from "@/api/callsFaults";
import { keys } from "@/api/keys";
import type { Alarm, AlarmBulk, AlarmMatchQuery } from "@/api/types";
import { ChangeButton } from "@/ui/ActionButton";
import { ProblemAlert } from "@/ui/Problem";
import { faultText } from "@/ui/names";
import { useToast } from "@/ui/toasts";
import { AssignDialog } from "./AssignDialog";
import { BulkMatching } from "./BulkMatching";
import { ClearDialog } from "./ClearDialog";
import { acknowledged, assigned, unacknowledged } from "./actionMessages";

const ACTIONS: readonly [AlarmBulk["action"], button: string, done: (count: number) => string][] = [
  ["ACKNOWLEDGE", t`Acknowledge selected`, acknowledged],
  ["UNACKNOWLEDGE", t`Unacknowledge`, unacknowledged],
  ["CLEAR", t`Clear selected`, (count) => plural(count, { one: "# alarm cleared", other: "# alarms cleared" })],
  ["ASSIGN", t`Assign selected`, assigned],
];

interface Props {
  alarms: readonly Alarm[];
  /** The query of the list, if a whole page is selected and more alarms match. */
  matching: AlarmMatchQuery | undefined;
  onDone: () => void;
}

/** Alarms that an action does not apply to are listed. */
export function BulkSelected({ alarms, matching, onDone }: Props) {
  const client = useQueryClient();
  const toast = useToast();
  /** The question is about the alarms that were selected when it was asked. */
  const [clearing, setClearing] = useState<readonly Alarm[]>();
  const [assigning, setAssigning] = useState<readonly Alarm[]>();
  const act = useMutation({
    mutationFn: alarmBulk,
    onSuccess: ({ done, refused }, { action }) => {
      const message = ACTIONS.find(([each]) => each === action)?.[2];
      if (message && done.length > 0) toast({ variant: "success", title: message(done.length) });
      if (refused.length === 0) onDone();
      return client.invalidateQueries({ queryKey: keys.alarms });
    },
  });
  const { isPending, reset, variables: asked } = act;
  const refused = act.data?.refused ?? [];
  const chosen = new Set(alarms.map(({ id }) => id));
  // Changed alarms leave the list and the selection; refused ones stay in both.
  const isOther =
    asked !== undefined &&
    (chosen.size === 0 ||
      refused.some(({ id }) => !chosen.has(id)) ||
      [...chosen].some((id) => !asked.ids.includes(id)));
  useEffect(() => {
    if (isOther && !isPending) reset();
  }, [isOther, isPending, reset]);
  const bodyOf = (action: AlarmBulk["action"], those = alarms) => ({ action, ids: those.map(({ id }) => id) });
  function begin(action: AlarmBulk["action"]) {
    if (isPending) return;
    if (action === "CLEAR") setClearing(alarms);
    else if (action === "ASSIGN") setAssigning(alarms);
    else act.mutate(bodyOf(action));
  }
  const nameOf = (id: string) => {
    const alarm = alarms.find((each) => each.id === id);
    return alarm ? t`${faultText(alarm.faultType)} of ${alarm.managedObjectName}` : id;
  };
  if (alarms.length === 0 && !clearing && !assigning) return null;
  return (
    <>
      <div className="vm-bulk" role="group" aria-label={t`Selected alarms`}>
        <strong>
          <Plural value={alarms.length} one="# alarm selected" other="# alarms selected" />
        </strong>
        <span className="vm-buttons">
          {ACTIONS.map(([action, words]) => (
            <ChangeButton
              key={action}
              variant="secondary"
              size="sm"
              isLoading={isPending && asked.action === action}
              onClick={() => begin(action)}
            >
              {words}
            </ChangeButton>
          ))}
        </span>
      </div>
      {matching && <BulkMatching key={JSON.stringify(matching)} query={matching} onDone={onDone} />}
      {act.isError && !clearing && !assigning && <ProblemAlert error={act.error} level="h2" />}
      {refused.length > 0 && (
        <Alert
          isInline
          variant="warning"
          component="h2"
          className="vm-alert"
          title={t`Failed for ${plural(refused.length, { one: "# alarm", other: "# alarms" })}`}
        >
          <ul className="vm-list">
            {refused.map(({ id, detail }) => (
              <li key={id}>
                {nameOf(id)}: {detail}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {assigning && (
        <AssignDialog
          count={assigning.length}
          save={(assignedTo) => act.mutateAsync({ ...bodyOf("ASSIGN", assigning), assignedTo })}
          onSaved={() => setAssigning(undefined)}
          onClose={() => {
            setAssigning(undefined);
            reset();
          }}
        />
      )}
      {clearing && (
        <ClearDialog
          alarms={clearing}
          run={() => act.mutateAsync(bodyOf("CLEAR", clearing))}
          onDone={() => setClearing(undefined)}
          onClose={() => {
            setClearing(undefined);
            reset();
          }}
        />
      )}
    </>
  );
}
