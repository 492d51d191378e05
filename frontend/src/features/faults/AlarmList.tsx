import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import { useQuery } from "@tanstack/react-query";
import { createContext, use, useDeferredValue, useMemo, type ReactNode } from "react";
import { Link } from "react-router";
import type { Page } from "@/api/client";
import { q } from "@/api/queries";
import type { Alarm } from "@/api/types";
import { pb } from "@/paths";
import { SelectFilter, SearchFilter } from "@/table/Filters";
import { ListBar } from "@/table/ListBar";
import { PageCount } from "@/table/PageCount";
import type { Choice } from "@/table/selection";
import { ServerTable, type RowDetails, type ServerColumn } from "@/table/ServerTable";
import { useListView, type ListView } from "@/ui/listView";
import { Empty } from "@/ui/Empty";
import { ProblemAlert } from "@/ui/Problem";
import { Moment } from "@/ui/Time";
import type { UseQueryResult } from "@tanstack/react-query";
import { Ack, otherAck, useAlarmUpdate } from "./Ack";
import { AlarmBadge, COUNTED, useAlarmCounts } from "./AlarmBadge";
import { AlarmLink } from "./AlarmLink";
import { CausedRows } from "./Correlation";
import { AlarmPart, ManagedObject } from "./ManagedObject";
import { detailsText, faultText, OBJECT_TYPE, wordsOf } from "@/ui/names";
import { alarmQuery, isNarrowed } from "./alarmQuery";
import { AlarmSeverity, eventTypeText } from "./AlarmSeverity";

export const LISTS = [
  ["historical", t`Cleared`],
  ["merged", t`Active and cleared`],
] as const;
const BY_OBJECT = { by: "managedObjectName", desc: false };
const hasCleared = (view: ListView): boolean => LISTS.some(([list]) => list === view.get("list"));
export const LATEST = { by: "alarmRaisedTime", desc: true };

/** Id of the alarm whose acknowledgement is being changed. */
const Acking = createContext<string | undefined>(undefined);

function AckCell({ alarm, onAck }: { alarm: Alarm; onAck: (alarm: Alarm) => void }) {
  return <Ack alarm={alarm} busy={use(Acking) === alarm.id} onAck={() => onAck(alarm)} />;
}

/** The part's text does not repeat the name of the object. */
function ObjectCell({ alarm, withObject }: { alarm: Alarm; withObject: boolean }) {
  const part = alarm.faultyResourceName;
  const isSaid = part.startsWith(alarm.managedObjectName);
  return (
    <>
      {withObject && !(part && isSaid) && (
        <span title={OBJECT_TYPE[alarm.managedObjectType]}>
          <ManagedObject alarm={alarm} />
        </span>
      )}
      {part && (
        <div className={withObject && !isSaid ? "vm-quiet" : "vm-first"}>
          <AlarmPart alarm={alarm} />
        </div>
      )}
    </>
  );
}

const CLEARED: ServerColumn<Alarm> = {
  title: t`Cleared`,
  sortBy: "alarmClearedTime",
  descFirst: true,
  cell: ({ alarmClearedTime }) => (alarmClearedTime ? <Moment at={alarmClearedTime} /> : "—"),
};

interface ColumnOptions {
  withObject: boolean;
  /** The list contains cleared alarms. */
  withCleared: boolean;
}
function columnsOf(onAck: (alarm: Alarm) => void, { withObject, withCleared }: ColumnOptions): ServerColumn<Alarm>[] {
  return [
    {
      title: t`Severity`,
      sortBy: "perceivedSeverity",
      descFirst: true,
      cell: (alarm) => <AlarmSeverity alarm={alarm} isInList={withCleared} />,
    },
    {
      title: withObject ? t`Object` : t`Part`,
      isWhole: true,
      sortBy: withObject ? "managedObjectName" : "faultyResourceName",
      cell: (alarm) => <ObjectCell alarm={alarm} withObject={withObject} />,
    },
    {
      title: t`Alarm`,
      isName: true,
      width: 30,
      sortBy: "faultType",
      cell: (alarm) => (
        <>
          <AlarmLink alarm={alarm} />
          {alarm.faultDetails.length > 0 && <div className="vm-quiet vm-normal">{detailsText(alarm.faultDetails)}</div>}
        </>
      ),
    },
    {
      title: t`Probable cause`,
      isOptional: true,
      isMinor: true,
      sortBy: "probableCause",
      cell: (alarm) => wordsOf(alarm.probableCause),
    },
    {
      title: t`Event type`,
      isOptional: true,
      isMinor: true,
      sortBy: "eventType",
      cell: (alarm) => eventTypeText(alarm.eventType),
    },
    {
      title: t`Raised`,
      sortBy: "alarmRaisedTime",
      descFirst: true,
      cell: (alarm) => <Moment at={alarm.alarmRaisedTime} />,
    },
    ...(withCleared ? [CLEARED] : []),
    {
      title: t`Count`,
      isMinor: true,
      sortBy: "occurrences",
      descFirst: true,
      cell: (alarm) => <span className="vm-number">{alarm.occurrences}</span>,
    },
    {
      title: t`Acknowledged`,
      isMinor: true,
      sortBy: "ackState",
      cell: (alarm) => (
        <>
          <AckCell alarm={alarm} onAck={onAck} />
          {alarm.assignedTo && (
            <div className="vm-quiet">
              <Trans>assigned to {alarm.assignedTo}</Trans>
            </div>
          )}
        </>
      ),
    },
  ];
}

export const alarmColumns = (view: ListView) =>
  columnsOf(() => undefined, { withObject: true, withCleared: hasCleared(view) });

interface TableProps {
  label: string;
  page: UseQueryResult<Page<Alarm>>;
  view: ListView;
  withObject?: boolean;
  /** The list contains root causes; a row expands to its consequences. */
  withRoots?: boolean;
  selection?: Choice;
  empty: ReactNode;
}

/** The address holds the grouping. */
function useGroups(view: ListView, page: UseQueryResult<Page<Alarm>>) {
  const grouping = view.get("group");
  // Groups belong to the rows on the screen, which are drawn later than they are read.
  const drawn = useDeferredValue(page.data);
  const ids = [...new Set(drawn?.rows.map(({ managedObjectId }) => managedObjectId))];
  const countsOf = useAlarmCounts(grouping === "object" ? ids : []);
  const heading = (alarm: Alarm) => (
    <span className="vm-labels">
      <ManagedObject alarm={alarm} /> <span className="vm-quiet vm-normal">{OBJECT_TYPE[alarm.managedObjectType]}</span>{" "}
      <AlarmBadge objectId={alarm.managedObjectId} counts={countsOf(alarm.managedObjectId)} />
    </span>
  );
  return grouping === "object" ? { keyOf: ({ managedObjectId }: Alarm) => managedObjectId, heading } : undefined;
}

export function NoAlarms({ view, heldBack }: { view: ListView; heldBack: string }) {
  if (view.get("list") === "historical") {
    return (
      <Empty title={t`No cleared alarms`} icon={BellIcon}>
        <Trans>
          Cleared alarms are kept as long as their <Link to={pb.administration("alarm-policies")}>alarm policy</Link>{" "}
          says.
        </Trans>
      </Empty>
    );
  }
  return (
    <Empty title={view.get("list") === "merged" ? t`No alarms` : t`No active alarms`} icon={BellIcon}>
      <Trans>New alarms appear here without reloading.</Trans>
      {view.get("suppressed") === "" && (
        <>
          {" "}
          <Trans>
            Alarms that a maintenance window, an operation or a policy suppresses are{" "}
            <Link to={heldBack}>listed separately</Link>.
          </Trans>
        </>
      )}
    </Empty>
  );
}

const nameOf = ({ faultType, managedObjectName }: Alarm): string => t`${faultText(faultType)} of ${managedObjectName}`;

const CAUSED: RowDetails<Alarm> = {
  label: (alarm) => t`Consequences of ${nameOf(alarm)}`,
  has: ({ correlatedCount }) => correlatedCount > 0,
  Rows: CausedRows,
};

/** The count includes consequences; undefined if it is unknown or not wanted. */
function useActiveCount(isWanted: boolean): number | undefined {
  const { data } = useQuery({ ...q.alarmSummary(), enabled: isWanted });
  return isWanted && data ? COUNTED.reduce((sum, severity) => sum + data[severity], 0) : undefined;
}

function rootsText(rows: number, alarms: number | undefined): string {
  const roots = plural(rows, { one: "# root cause", other: "# root causes" });
  return alarms === undefined ? roots : t`${roots} · ${plural(alarms, { one: "# alarm", other: "# alarms" })}`;
}

interface CountProps {
  page: UseQueryResult<Page<Alarm>>;
  view: ListView;
  /** The list contains root causes. */
  withRoots?: boolean;
}
export function AlarmCount({ page, view, withRoots = false }: CountProps) {
  const isWholeList = view.get("list") === "" && view.after === undefined && page.data?.next === undefined;
  const alarms = useActiveCount(withRoots && isWholeList && !isNarrowed(view));
  return (
    <PageCount
      page={page}
      view={view}
      counted={(rows) => (withRoots ? rootsText(rows, alarms) : plural(rows, { one: "# alarm", other: "# alarms" }))}
    />
  );
}

/** The columns are attributes of X.733. */
export function AlarmTable({ label, page, view, withObject = true, withRoots = false, selection, empty }: TableProps) {
  const ack = useAlarmUpdate();
  const { mutate } = ack;
  const withCleared = hasCleared(view);
  const columns = useMemo(
    () => columnsOf((alarm) => mutate({ alarm, change: otherAck(alarm) }), { withObject, withCleared }),
    [mutate, withObject, withCleared],
  );
  const group = useGroups(view, page);
  return (
    <Acking value={ack.isPending ? ack.variables.alarm.id : undefined}>
      {ack.isError && <ProblemAlert error={ack.error} level="h2" />}
      <ServerTable
        label={label}
        page={page}
        columns={columns}
        rowKey={(alarm) => alarm.id}
        rowClass={(alarm) => (alarm.alarmClearedTime ? "vm-row-quiet" : undefined)}
        view={group && view.sort?.by !== BY_OBJECT.by ? { ...view, sort: BY_OBJECT } : view}
        selection={selection && { ...selection, nameOf }}
        group={group}
        details={withRoots ? CAUSED : undefined}
        empty={empty}
      />
    </Acking>
  );
}

export function AlarmsOf({ objectId, label }: { objectId: string; label: string }) {
  const view = useListView(LATEST);
  const page = useQuery(q.alarms({ ...alarmQuery(view, objectId), ...view.paging }));
  return (
    <>
      <ListBar
        label={label}
        search={<SearchFilter view={view} name="text" label={t`Search ${label}`} />}
        end={<AlarmCount page={page} view={view} />}
      >
        <SelectFilter view={view} name="list" label={t`List`} every={t`Active`} options={LISTS} />
      </ListBar>
      <AlarmTable
        label={label}
        page={page}
        view={view}
        withObject={false}
        empty={view.get("text") === "" && <NoAlarms view={view} heldBack={pb.suppressedAlarms(objectId)} />}
      />
    </>
  );
}
