import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
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
import { ServerTable, type Choice, type ServerColumn } from "@/table/ServerTable";
import { useListView, type ListView } from "@/table/view";
import { Empty } from "@/ui/Empty";
import { ProblemAlert } from "@/ui/Problem";
import { Ago } from "@/ui/Time";
import type { UseQueryResult } from "@tanstack/react-query";
import { Ack, otherAck, useAlarmUpdate } from "./Ack";
import { AlarmBadge, alarmCountsOf } from "./AlarmBadge";
import { Caused, type Href } from "./Correlation";
import { AlarmPart, ManagedObject, OBJECT_TYPE } from "./ManagedObject";
import { alarmQuery } from "./query";
import { AlarmSeverity, eventTypeText } from "./severity";

export const LISTS = [
  ["historical", t`Cleared`],
  ["merged", t`Active and cleared`],
] as const;
const BY_OBJECT = { by: "managedObjectName", desc: false };
export const LATEST = { by: "alarmRaisedTime", desc: true };

type AckOf = Pick<ReturnType<typeof useAlarmUpdate>, "mutate" | "isPending" | "variables">;

function columnsOf(href: Href, ack: AckOf, withObject: boolean): ServerColumn<Alarm>[] {
  const { mutate, isPending, variables } = ack;
  return [
    {
      title: t`Severity`,
      sortBy: "perceivedSeverity",
      descFirst: true,
      cell: (alarm) => <AlarmSeverity alarm={alarm} />,
    },
    {
      title: t`Alarm`,
      isName: true,
      width: 30,
      sortBy: "faultType",
      cell: (alarm) => (
        <>
          <Link to={href(alarm.id)} preventScrollReset>
            {alarm.faultType}
          </Link>
          <div className="vm-normal">{alarm.probableCause}</div>
          {alarm.faultDetails.length > 0 && <div className="vm-quiet vm-normal">{alarm.faultDetails.join(" ")}</div>}
        </>
      ),
    },
    {
      title: withObject ? t`Object` : t`Part`,
      width: 15,
      sortBy: withObject ? "managedObjectName" : "faultyResourceName",
      cell: (alarm) => (
        <>
          {withObject && (
            <>
              <ManagedObject alarm={alarm} />
              <div className="vm-quiet">{OBJECT_TYPE[alarm.managedObjectType]}</div>
            </>
          )}
          {alarm.faultyResourceName && (
            <div className={withObject ? "vm-quiet" : ""}>
              <AlarmPart alarm={alarm} />
            </div>
          )}
        </>
      ),
    },
    { title: t`Type`, sortBy: "eventType", cell: (alarm) => eventTypeText(alarm.eventType) },
    {
      title: t`Raised`,
      sortBy: "alarmRaisedTime",
      descFirst: true,
      cell: (alarm) => (
        <>
          <Ago at={alarm.alarmRaisedTime} />
          {alarm.alarmClearedTime && (
            <div className="vm-quiet">
              <Trans>
                cleared <Ago at={alarm.alarmClearedTime} />
              </Trans>
            </div>
          )}
        </>
      ),
    },
    {
      title: t`Times`,
      sortBy: "occurrences",
      descFirst: true,
      cell: (alarm) => <span className="vm-number">{alarm.occurrences}</span>,
    },
    {
      title: t`Acknowledged`,
      sortBy: "ackState",
      cell: (alarm) => (
        <>
          <Ack
            alarm={alarm}
            busy={isPending && variables?.alarm.id === alarm.id}
            onAck={() => mutate({ alarm, change: otherAck(alarm) })}
          />
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

interface TableProps {
  label: string;
  page: UseQueryResult<Page<Alarm>>;
  view: ListView;
  /** Where an alarm's details are; the address keeps how the list is looked at. */
  href: Href;
  withObject?: boolean;
  selection?: Choice;
  empty: ReactNode;
}

/** How rows are put together, as the address asks. */
function useGroups(view: ListView, page: UseQueryResult<Page<Alarm>>) {
  const grouping = view.get("group");
  const ids = [...new Set(page.data?.rows.map(({ managedObjectId }) => managedObjectId))];
  const counts = useQuery({
    ...q.alarmCounts({ managedObjectId: ids.join(",") }),
    enabled: grouping === "object" && ids.length > 0,
  });
  const countsOf = alarmCountsOf(counts);
  const heading = (alarm: Alarm) => (
    <span className="vm-labels">
      <ManagedObject alarm={alarm} /> <span className="vm-quiet vm-normal">{OBJECT_TYPE[alarm.managedObjectType]}</span>{" "}
      <AlarmBadge objectId={alarm.managedObjectId} counts={countsOf(alarm.managedObjectId)} />
    </span>
  );
  return grouping === "object" ? { keyOf: ({ managedObjectId }: Alarm) => managedObjectId, heading } : undefined;
}

/** What an empty list says when nothing narrows it. */
export function NoAlarms({ view, heldBack }: { view: ListView; heldBack: string }) {
  if (view.get("list") === "historical") {
    return (
      <Empty title={t`No cleared alarm is kept`} icon={BellIcon}>
        <Trans>
          Alarms that clear are listed here for as long as their{" "}
          <Link to={pb.administration("alarm-policies")}>policy</Link> keeps them.
        </Trans>
      </Empty>
    );
  }
  return (
    <Empty title={view.get("list") === "merged" ? t`No alarm is kept` : t`No alarm is told`} icon={BellIcon}>
      <Trans>When something breaks, its alarm is shown here without reloading.</Trans>
      {view.get("silent") === "" && (
        <>
          {" "}
          <Trans>
            What a maintenance window, an operation or a policy holds back is <Link to={heldBack}>shown apart</Link>.
          </Trans>
        </>
      )}
    </Empty>
  );
}

const nameOf = ({ faultType, managedObjectName }: Alarm): string => t`${faultType} of ${managedObjectName}`;

/** Alarms as X.733 lists them: severity, cause, object, type, times, and whether somebody has seen them. */
export function AlarmTable({ label, page, view, href, withObject = true, selection, empty }: TableProps) {
  const ack = useAlarmUpdate();
  const { mutate, isPending, variables } = ack;
  const columns = useMemo(
    () => columnsOf(href, { mutate, isPending, variables }, withObject),
    [href, mutate, isPending, variables, withObject],
  );
  const group = useGroups(view, page);
  const causes = view.get("group") === "cause";
  return (
    <>
      {ack.isError && <ProblemAlert error={ack.error} />}
      <ServerTable
        label={label}
        counted={(rows) => plural(rows, { one: "# alarm", other: "# alarms" })}
        page={page}
        columns={columns}
        rowKey={(alarm) => alarm.id}
        rowClass={(alarm) => (alarm.alarmClearedTime ? "vm-row-quiet" : undefined)}
        view={group && view.sort?.by !== BY_OBJECT.by ? { ...view, sort: BY_OBJECT } : view}
        selection={selection && { ...selection, nameOf }}
        group={group}
        details={
          causes
            ? {
                label: (alarm) => t`What ${nameOf(alarm)} causes`,
                has: ({ correlatedCount }) => correlatedCount > 0,
                content: ({ id }) => <Caused id={id} href={href} />,
              }
            : undefined
        }
        empty={empty}
      />
    </>
  );
}

/** The alarms of one object, on its own page. */
export function AlarmsOf({ objectId, label }: { objectId: string; label: string }) {
  const view = useListView(LATEST);
  const page = useQuery(q.alarms(alarmQuery(view, objectId)));
  return (
    <>
      <Toolbar className="vm-toolbar" aria-label={t`${label}: filters`}>
        <ToolbarContent>
          <SearchFilter view={view} name="text" label={t`Search ${label}`} />
          <SelectFilter view={view} name="list" label={t`Which alarms`} every={t`Active`} options={LISTS} />
        </ToolbarContent>
      </Toolbar>
      <AlarmTable
        label={label}
        page={page}
        view={view}
        href={pb.alarm}
        withObject={false}
        empty={view.get("text") === "" && <NoAlarms view={view} heldBack={pb.alarmsHeldBack(objectId)} />}
      />
    </>
  );
}
