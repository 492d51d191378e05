import { Trans } from "@lingui/react/macro";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { AuditDetail, AuditOutcome } from "@/ui/AuditEntryParts";
import { auditText } from "@/ui/auditText";
import { peopleQueries, type AuditEntry } from "@/api/people";
import { q } from "@/api/queries";
import type { Alarm, Note, OpOccSummary, VnfInstance } from "@/api/types";
import { pb } from "@/paths";
import { DataTable, type Column } from "@/table/DataTable";
import { filterText } from "@/api/filter";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { useMissingRole } from "@/ui/rights";
import { faultText } from "@/ui/names";
import { operationText } from "@/ui/operationText";
import { lookOf, OPERATION_STATE, SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Moment } from "@/ui/Time";

interface Event {
  key: string;
  at: string;
  kind: string;
  /** Used for search and sorting. */
  text: string;
  what: ReactNode;
  state: ReactNode;
}

function operationEvents(occs: readonly OpOccSummary[]): Event[] {
  return occs.map((occ) => ({
    ...{ key: `op ${occ.id}`, at: occ.startTime, kind: t`Operation`, text: operationText(occ) },
    what: (
      <>
        <Link to={pb.operation(occ.vnfInstanceId, occ.id)}>{operationText(occ)}</Link>
        {occ.error?.detail && <div className="vm-quiet vm-normal">{occ.error.detail}</div>}
      </>
    ),
    state: <StateLabel look={lookOf(OPERATION_STATE, occ.operationState)} />,
  }));
}

function alarmEvents(alarm: Alarm): Event[] {
  const text = `${alarm.faultType} ${alarm.faultyResourceName}`.trim();
  const event = (deed: "raised" | "cleared", at: string, severity: string): Event => ({
    ...{ key: `${deed} ${alarm.id}`, at, kind: deed === "raised" ? t`Alarm raised` : t`Alarm cleared`, text },
    what: (
      <>
        <Link to={pb.alarm(alarm.id)}>{faultText(alarm.faultType)}</Link>
        {alarm.faultyResourceName && <span className="vm-quiet vm-normal"> {alarm.faultyResourceName}</span>}
      </>
    ),
    state: <StateLabel look={lookOf(SEVERITY, severity)} />,
  });
  const raised = event("raised", alarm.alarmRaisedTime, alarm.originalSeverity);
  return alarm.alarmClearedTime ? [raised, event("cleared", alarm.alarmClearedTime, "CLEARED")] : [raised];
}

const noteEvents = (notes: readonly Note[]): Event[] =>
  notes.map(({ id, at, author, text }) => ({
    ...{ key: `note ${id}`, at, kind: t`Note`, text: `${author} ${text}`, what: text, state: t`by ${author}` },
  }));

/** The page already shows the instance's name. */
const detailWithoutNames = (detail: AuditEntry["detail"]): AuditEntry["detail"] =>
  Object.fromEntries(Object.entries(detail).filter(([name]) => name !== "names"));

/** The path of a request is shown without the part that identifies the instance. */
function auditEvents(entries: readonly AuditEntry[]): Event[] {
  return entries.map((entry) => {
    const words = auditText(entry);
    return {
      ...{ key: `audit ${entry.id}`, at: entry.at, kind: t`Audit trail`, text: `${entry.actor} ${words}` },
      what: (
        <>
          <span title={`${entry.action} ${entry.object}`}>
            {entry.actor}: {words}
          </span>
          <AuditDetail entry={{ ...entry, detail: detailWithoutNames(entry.detail) }} />
        </>
      ),
      state: <AuditOutcome entry={entry} />,
    };
  });
}

interface EventText {
  occs: readonly OpOccSummary[];
  alarms: readonly Alarm[];
  notes: readonly Note[];
  audit: readonly AuditEntry[];
}
/** The latest event comes first. */
export function historyOf({ occs, alarms, notes, audit }: EventText): Event[] {
  const events = [
    ...operationEvents(occs),
    ...alarms.flatMap(alarmEvents),
    ...noteEvents(notes),
    ...auditEvents(audit),
  ];
  return events.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

const COLUMNS: Column<Event>[] = [
  { title: t`When`, cell: ({ at }) => <Moment at={at} />, sort: ({ at }) => Date.parse(at) },
  { title: t`Event`, isName: true, cell: ({ what }) => what, sort: ({ text }) => text, width: 40 },
  { title: t`Kind`, cell: ({ kind }) => kind, sort: ({ kind }) => kind },
  { title: t`Outcome`, cell: ({ state }) => state },
];

/** The request lists the operations in its address, whose length is limited. */
const OPERATIONS = 30;

/** Only administrators may read the audit trail. */
function useAudit(id: string, occs: readonly OpOccSummary[] | undefined) {
  const may = useMissingRole("admin") === undefined;
  const latest = [...(occs ?? [])].sort((a, b) => b.startTime.localeCompare(a.startTime)).slice(0, OPERATIONS);
  const about = [id, ...latest.map((occ) => occ.id)].map((each) => `'${each}'`);
  return useQuery({
    ...peopleQueries.audit({ filter: `(cont,object,${about.join(",")})` }),
    enabled: may && occs !== undefined,
  });
}

export function History({ instance: { id } }: { instance: VnfInstance }) {
  const filter = filterText([["eq", "managedObjectId", id]]) ?? "";
  const occs = useQuery(q.opOccsOf(id));
  const alarms = useQuery(q.alarms({ filter, list: "merged", suppressed: true }));
  const notes = useQuery(q.instanceNotes(id));
  const audit = useAudit(id, occs.data);
  const failed = [occs, alarms, notes, audit].filter(({ isError, data }) => isError && !data);
  if ([occs, alarms, notes, audit].some(({ isLoading }) => isLoading))
    return (
      <LoadingNote>
        <Trans>Loading the history…</Trans>
      </LoadingNote>
    );
  const events = historyOf({
    ...{ occs: occs.data ?? [], alarms: alarms.data?.rows ?? [] },
    ...{ notes: notes.data ?? [], audit: audit.data?.rows ?? [] },
  });
  return (
    <Panel title={t`History`} count={events.length}>
      {failed.map(({ error }, index) => (
        <ProblemAlert key={index} error={error} />
      ))}
      {alarms.data?.next !== undefined && (
        <p className="vm-quiet">
          <Trans>
            Only the latest {alarms.data.rows.length} alarms are listed; <Link to={pb.alarmsFor(id)}>show all</Link>.
          </Trans>
        </p>
      )}
      {audit.data?.next !== undefined && (
        <p className="vm-quiet">
          <Trans>
            Only the latest {audit.data.rows.length} audit entries are listed; <Link to={pb.auditOf(id)}>show all</Link>
            .
          </Trans>
        </p>
      )}
      {events.length === 0 && failed.length === 0 ? (
        <p className="vm-quiet">
          <Trans>No events yet.</Trans>
        </p>
      ) : (
        <DataTable
          label={t`History`}
          name="history"
          rows={events}
          columns={COLUMNS}
          rowKey={({ key }) => key}
          searchText={({ text, kind }) => `${kind} ${text}`}
          initialSort={{ column: 0, direction: "desc" }}
        />
      )}
    </Panel>
  );
}
