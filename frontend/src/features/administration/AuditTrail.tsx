import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import HistoryIcon from "@patternfly/react-icons/dist/esm/icons/history-icon";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { auditCsvHref, peopleQueries, type AuditEntry, type AuditQuery } from "@/api/people";
import { CsvLink } from "@/table/CsvLink";
import { SearchFilter } from "@/table/Filters";
import { ListBar, type FilterField } from "@/table/ListBar";
import { PageCount } from "@/table/PageCount";
import { TableOptions } from "@/table/TableOptions";
import { filterText } from "@/api/filter";
import { beginOf } from "@/table/period";
import { ServerTable, type ServerColumn } from "@/table/ServerTable";
import { useListView, type ListView } from "@/ui/listView";
import { Empty } from "@/ui/Empty";
import { Moment } from "@/ui/Time";
import { RequireRole } from "@/ui/RequireRole";
import { AuditDetail, AuditOutcome } from "@/ui/AuditEntryParts";
import { auditAddress, auditObject, auditText } from "@/ui/auditText";

const PERIODS = [
  ["1h", t`Last hour`, 1],
  ["24h", t`Last 24 hours`, 24],
  ["7d", t`Last 7 days`, 168],
  ["30d", t`Last 30 days`, 720],
] as const;
const FILTER_NAMES = ["actor", "action", "object", "since", "plans"] as const;

const COLUMNS: ServerColumn<AuditEntry>[] = [
  { title: t`When`, cell: ({ at }) => <Moment at={at} /> },
  {
    title: t`User`,
    cell: ({ actor, address, detail: { tokenName } }) => (
      <>
        {actor || t`unknown`}
        {typeof tokenName === "string" && <div className="vm-quiet vm-normal">{t`Token “${tokenName}”`}</div>}
        {address && (
          <div className="vm-quiet">
            <Trans>from {address}</Trans>
          </div>
        )}
      </>
    ),
  },
  {
    title: t`Action`,
    isName: true,
    width: 30,
    cell: (entry) => (
      <div className="vm-read-whole">
        <span title={`${entry.action} ${entry.object}`}>{auditText(entry)}</span>
        <AuditDetail entry={entry} />
      </div>
    ),
  },
  {
    title: t`Object`,
    width: 30,
    cell: (entry) => {
      const [to, words] = [auditAddress(entry), auditObject(entry)];
      if (words === undefined) return <span className="vm-normal">{entry.object}</span>;
      return to ? (
        <Link to={to} title={entry.object}>
          {words}
        </Link>
      ) : (
        <span title={entry.object}>{words}</span>
      );
    },
  },
  {
    title: t`Outcome`,
    cell: (entry) => <AuditOutcome entry={entry} />,
  },
  { title: t`Request`, isOptional: true, cell: ({ requestId }) => <code>{requestId || "—"}</code> },
];

function queryOf(view: ListView): AuditQuery {
  const filter = filterText([
    ["cont", "actor", view.get("actor")],
    ["cont", "action", view.get("action")],
    ["cont", "object", view.get("object")],
    ["eq", "dryRun", view.get("plans") === "shown" ? "" : "false"],
    // The result of a push or rollback is an entry of its own, which contains everything that the request's entry says.
    ["eq", "hasResult", "false"],
    ["gte", "at", beginOf(PERIODS.find(([key]) => key === view.get("since"))?.[2])],
  ]);
  return filter ? { filter } : {};
}

const FIELDS: readonly FilterField[] = [
  { name: "since", label: t`Period`, every: t`Any time`, options: PERIODS.map(([key, text]) => [key, text] as const) },
  { name: "plans", label: t`Plans and dry runs`, every: t`Hidden`, options: [["shown", t`Shown`]] },
  { name: "object", label: t`Object`, isChip: true },
  { name: "actor", label: t`User`, isChip: true },
  { name: "action", label: t`Action`, isChip: true },
];

function Filters({ view, query, count }: { view: ListView; query: AuditQuery; count: ReactNode }) {
  return (
    <ListBar
      label={t`Audit trail`}
      view={view}
      fields={FIELDS}
      search={
        <>
          <SearchFilter view={view} name="actor" label={t`User`} />
          <SearchFilter view={view} name="action" label={t`Action`} />
          <SearchFilter view={view} name="object" label={t`Object`} />
        </>
      }
      end={
        <>
          {count}
          <CsvLink href={auditCsvHref(query)} file="audit.csv" />
          <TableOptions label={t`Audit trail`} columns={COLUMNS} />
        </>
      }
    />
  );
}

function Entries() {
  const view = useListView();
  const query = queryOf(view);
  const page = useQuery(peopleQueries.audit({ ...query, ...view.paging }));
  return (
    <section aria-label={t`Audit trail`}>
      <Filters
        view={view}
        query={query}
        count={
          <PageCount page={page} view={view} counted={(rows) => plural(rows, { one: "# entry", other: "# entries" })} />
        }
      />
      <ServerTable
        label={t`Audit trail`}
        page={page}
        columns={COLUMNS}
        rowKey={({ id }) => String(id)}
        view={view}
        empty={
          FILTER_NAMES.every((name) => view.get(name) === "") && (
            <Empty title={t`No entries yet`} icon={HistoryIcon}>
              <Trans>All logins and all requests that can change anything are recorded here.</Trans>
            </Empty>
          )
        }
      />
    </section>
  );
}

export function AuditTrail() {
  return (
    <RequireRole title={t`Administrators only: audit trail`} needs="admin">
      <Entries />
    </RequireRole>
  );
}
