import { Toolbar, ToolbarContent } from "@patternfly/react-core";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import { useQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import { Link } from "react-router";
import type { Page } from "@/api/client";
import { q } from "@/api/queries";
import type { Alarm } from "@/api/types";
import { pb } from "@/paths";
import { SelectFilter, SearchFilter } from "@/table/Filters";
import { ServerTable, type Selection, type ServerColumn } from "@/table/ServerTable";
import { useListView, type ListView } from "@/table/view";
import { Empty } from "@/ui/Empty";
import { ProblemAlert } from "@/ui/Problem";
import { Ago } from "@/ui/Time";
import type { UseQueryResult } from "@tanstack/react-query";
import { Ack, otherAck, useAlarmUpdate } from "./Ack";
import { ManagedObject, OBJECT_TYPE } from "./ManagedObject";
import { alarmQuery } from "./query";
import { AlarmSeverity, eventTypeText } from "./severity";

export const LISTS = [
  ["historical", "Cleared"],
  ["merged", "Active and cleared"],
] as const;
export const LATEST = { by: "alarmRaisedTime", desc: true };

/** Words for the first column's link: the address of the details keeps how the list is looked at. */
type Href = (alarm: Alarm) => string;

function columnsOf(href: Href, ack: ReturnType<typeof useAlarmUpdate>, withObject: boolean): ServerColumn<Alarm>[] {
  const { mutate, isPending, variables } = ack;
  return [
    {
      title: "Severity",
      sortBy: "perceivedSeverity",
      descFirst: true,
      cell: (alarm) => <AlarmSeverity alarm={alarm} />,
    },
    {
      title: "Alarm",
      isName: true,
      width: 35,
      sortBy: "faultType",
      cell: (alarm) => (
        <>
          <Link to={href(alarm)} preventScrollReset>
            {alarm.faultType}
          </Link>
          <div className="vm-normal">{alarm.probableCause}</div>
          {alarm.faultDetails.length > 0 && <div className="vm-quiet vm-normal">{alarm.faultDetails.join(" ")}</div>}
        </>
      ),
    },
    {
      title: withObject ? "Object" : "Part",
      sortBy: withObject ? "managedObjectName" : "faultyResourceName",
      cell: (alarm) => (
        <>
          {withObject && (
            <>
              <ManagedObject alarm={alarm} />
              <div className="vm-quiet">{OBJECT_TYPE[alarm.managedObjectType]}</div>
            </>
          )}
          {alarm.faultyResourceName && <div className={withObject ? "vm-quiet" : ""}>{alarm.faultyResourceName}</div>}
        </>
      ),
    },
    { title: "Type", sortBy: "eventType", cell: (alarm) => eventTypeText(alarm.eventType) },
    {
      title: "Raised",
      sortBy: "alarmRaisedTime",
      descFirst: true,
      cell: (alarm) => (
        <>
          <Ago at={alarm.alarmRaisedTime} />
          {alarm.alarmClearedTime && (
            <div className="vm-quiet">
              cleared <Ago at={alarm.alarmClearedTime} />
            </div>
          )}
        </>
      ),
    },
    {
      title: "Times",
      sortBy: "occurrences",
      descFirst: true,
      cell: (alarm) => <span className="vm-number">{alarm.occurrences}</span>,
    },
    {
      title: "Acknowledged",
      sortBy: "ackState",
      cell: (alarm) => (
        <>
          <Ack
            alarm={alarm}
            busy={isPending && variables.alarm.id === alarm.id}
            onAck={() => mutate({ alarm, change: otherAck(alarm) })}
          />
          {alarm.assignedTo && <div className="vm-quiet">assigned to {alarm.assignedTo}</div>}
        </>
      ),
    },
  ];
}

interface TableProps {
  label: string;
  page: UseQueryResult<Page<Alarm>>;
  view: ListView;
  href: Href;
  withObject?: boolean;
  selection?: Selection;
  empty: ReactNode;
}

/** Alarms as X.733 lists them: severity, cause, object, type, times, and whether somebody has seen them. */
export function AlarmTable({ label, page, view, href, withObject = true, selection, empty }: TableProps) {
  const ack = useAlarmUpdate();
  const columns = columnsOf(href, ack, withObject);
  return (
    <>
      {ack.isError && <ProblemAlert error={ack.error} />}
      <ServerTable
        label={label}
        one="alarm"
        page={page}
        columns={columns}
        rowKey={(alarm) => alarm.id}
        rowName={(alarm) => `${alarm.faultType} of ${alarm.managedObjectName}`}
        rowClass={(alarm) => (alarm.alarmClearedTime ? "vm-row-quiet" : undefined)}
        view={view}
        selection={selection}
        empty={empty}
      />
    </>
  );
}

/** The alarms of one object, on its own page. */
export function AlarmsOf({ objectId, label }: { objectId: string; label: string }) {
  const view = useListView(LATEST);
  const page = useQuery(q.alarms(alarmQuery(view, objectId)));
  const asked = view.get("text") !== "" || view.get("list") !== "";
  const empty = useMemo(
    () => (
      <Empty title="No alarm is active" icon={BellIcon}>
        When something is wrong here, its alarm appears by itself.
      </Empty>
    ),
    [],
  );
  return (
    <>
      <Toolbar className="vm-toolbar" aria-label={`${label}: filters`}>
        <ToolbarContent>
          <SearchFilter view={view} name="text" label={`Search ${label}`} />
          <SelectFilter view={view} name="list" label="Which alarms" every="Active" options={LISTS} />
        </ToolbarContent>
      </Toolbar>
      <AlarmTable
        label={label}
        page={page}
        view={view}
        href={(alarm) => pb.alarm(alarm.id)}
        withObject={false}
        empty={asked ? undefined : empty}
      />
    </>
  );
}
