import { Button, ToggleGroup, ToggleGroupItem, ToolbarItem } from "@patternfly/react-core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link } from "react-router";
import { alarmAck } from "@/api/calls";
import { keys } from "@/api/queries";
import type { Alarm } from "@/api/types";
import { pb } from "@/paths";
import { ProblemAlert } from "@/ui/Problem";
import { ACKNOWLEDGED, lookOf, SEVERITIES, SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago } from "@/ui/Time";
import { DataTable, type Column } from "./DataTable";

const DASH = <span className="vm-quiet">—</span>;
const CLEARED: Column<Alarm> = {
  title: "Cleared",
  cell: (alarm) => (alarm.alarmClearedTime ? <Ago at={alarm.alarmClearedTime} /> : DASH),
  sort: (alarm) => alarm.alarmClearedTime ?? "",
};
const details = (alarm: Alarm): string => alarm.faultDetails.join(" ");

interface AckProps {
  alarm: Alarm;
  busy: boolean;
  onAck: () => void;
}
/** Whether somebody has seen it, and by whom; and the button that changes it. */
function Ack({ alarm, busy, onAck }: AckProps) {
  const acked = alarm.ackState === "ACKNOWLEDGED";
  const button = { size: "sm", isLoading: busy, isDisabled: busy, onClick: onAck } as const;
  if (!acked) {
    return (
      <Button {...button} variant="secondary" aria-label={`Acknowledge ${alarm.probableCause}`}>
        Acknowledge
      </Button>
    );
  }
  return (
    <span className="vm-labels">
      <StateLabel look={ACKNOWLEDGED} />
      {alarm.acknowledgedBy && <span className="vm-quiet">{alarm.acknowledgedBy}</span>}
      <Button {...button} variant="link" isInline aria-label={`Withdraw acknowledgement of ${alarm.probableCause}`}>
        Withdraw
      </Button>
    </span>
  );
}

/** Alarms as X.733 lists them: severity, cause, object, times, and whether somebody has seen them. */
export function AlarmTable({ alarms, label }: { alarms: readonly Alarm[]; label: string }) {
  const client = useQueryClient();
  const [onlyActive, setOnlyActive] = useState(true);
  const ack = useMutation({
    mutationFn: (alarm: Alarm) =>
      alarmAck(alarm.id, alarm.ackState === "ACKNOWLEDGED" ? "UNACKNOWLEDGED" : "ACKNOWLEDGED"),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.alarms }),
  });
  const { mutate, isPending, variables } = ack;

  const columns = useMemo<Column<Alarm>[]>(
    () => [
      {
        title: "Severity",
        cell: (alarm) => (
          <span className="vm-labels">
            <StateLabel look={lookOf(SEVERITY, alarm.alarmClearedTime ? "CLEARED" : alarm.perceivedSeverity)} />
            {alarm.alarmClearedTime && alarm.perceivedSeverity !== "CLEARED" && (
              <span className="vm-quiet">was {SEVERITY[alarm.perceivedSeverity].text.toLowerCase()}</span>
            )}
          </span>
        ),
        sort: (alarm) => (alarm.alarmClearedTime ? SEVERITIES.length : SEVERITIES.indexOf(alarm.perceivedSeverity)),
      },
      {
        title: "Probable cause",
        isName: true,
        width: 40,
        cell: (alarm) => (
          <>
            {alarm.probableCause}
            {details(alarm) && <div className="vm-quiet vm-normal">{details(alarm)}</div>}
            {alarm.remedialAction && !alarm.alarmClearedTime && <div className="vm-normal">{alarm.remedialAction}</div>}
          </>
        ),
        sort: (alarm) => alarm.probableCause,
      },
      {
        title: "Object",
        cell: (alarm) => (
          <>
            <Link to={pb.instance(alarm.managedObjectId)}>{alarm.managedObjectName || alarm.managedObjectId}</Link>
            {alarm.faultyResourceName && <div className="vm-quiet">{alarm.faultyResourceName}</div>}
          </>
        ),
        sort: (alarm) => alarm.managedObjectName,
      },
      { title: "Raised", cell: (alarm) => <Ago at={alarm.alarmRaisedTime} />, sort: (alarm) => alarm.alarmRaisedTime },
      ...(onlyActive ? [] : [CLEARED]),
      {
        title: "Acknowledged",
        cell: (alarm) => (
          <Ack alarm={alarm} busy={isPending && variables.id === alarm.id} onAck={() => mutate(alarm)} />
        ),
        sort: (alarm) => alarm.ackState,
      },
    ],
    [onlyActive, isPending, variables, mutate],
  );

  const shown = onlyActive ? alarms.filter((alarm) => !alarm.alarmClearedTime) : alarms;
  return (
    <>
      {ack.isError && <ProblemAlert error={ack.error} />}
      <DataTable
        label={label}
        rows={shown}
        columns={columns}
        rowKey={(alarm) => alarm.id}
        none={onlyActive ? "No alarm is active" : "Nothing matches"}
        searchText={(alarm) =>
          `${alarm.probableCause} ${details(alarm)} ${alarm.managedObjectName} ${alarm.faultyResourceName}`
        }
        initialSort={{ column: 3, direction: "desc" }}
        rowClass={(alarm) => (alarm.alarmClearedTime ? "vm-row-quiet" : undefined)}
        filters={
          <ToolbarItem>
            <ToggleGroup aria-label="Which alarms">
              <ToggleGroupItem
                text="Active"
                buttonId="alarms-active"
                isSelected={onlyActive}
                onChange={() => setOnlyActive(true)}
              />
              <ToggleGroupItem
                text="All, with cleared"
                buttonId="alarms-all"
                isSelected={!onlyActive}
                onChange={() => setOnlyActive(false)}
              />
            </ToggleGroup>
          </ToolbarItem>
        }
      />
    </>
  );
}
