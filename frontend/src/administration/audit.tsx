import { Button, Toolbar, ToolbarContent, ToolbarItem } from "@patternfly/react-core";
import DownloadIcon from "@patternfly/react-icons/dist/esm/icons/download-icon";
import HistoryIcon from "@patternfly/react-icons/dist/esm/icons/history-icon";
import { useQuery } from "@tanstack/react-query";
import { auditCsvHref, peopleQueries, type AuditEntry, type AuditQuery } from "@/api/people";
import { SearchFilter, SelectFilter } from "@/table/Filters";
import { filterText } from "@/table/filter";
import { beginOf } from "@/table/period";
import { ServerTable, type ServerColumn } from "@/table/ServerTable";
import { useListView, type ListView } from "@/table/view";
import { Empty } from "@/ui/Empty";
import { Ago } from "@/ui/Time";
import { Withheld } from "@/ui/Withheld";
import { plural } from "@/ui/format";
import { Detail, Ended, requestOf } from "./audit-entry";

const PERIODS = [
  ["1h", "In the last hour", 1],
  ["24h", "In the last day", 24],
  ["7d", "In the last week", 168],
  ["30d", "In the last month", 720],
] as const;
const ASKED = ["actor", "action", "object", "since"] as const;

const COLUMNS: ServerColumn<AuditEntry>[] = [
  { title: "When", cell: ({ at }) => <Ago at={at} /> },
  {
    title: "Who",
    cell: ({ actor, address }) => (
      <>
        {actor || "nobody known"}
        {address && <div className="vm-quiet">from {address}</div>}
      </>
    ),
  },
  {
    title: "What",
    isName: true,
    width: 30,
    cell: (entry) => (
      <>
        {requestOf(entry)?.method ?? entry.action}
        <Detail entry={entry} />
      </>
    ),
  },
  { title: "Of what", width: 30, cell: ({ object }) => <code>{object}</code> },
  {
    title: "Outcome",
    cell: (entry) => (
      <>
        <Ended entry={entry} />
        {requestOf(entry) && <div className="vm-quiet">{requestOf(entry)?.status}</div>}
      </>
    ),
  },
  { title: "Request", cell: ({ requestId }) => <code>{requestId || "—"}</code> },
];

function queryOf(view: ListView): AuditQuery {
  const filter = filterText([
    ["cont", "actor", view.get("actor")],
    ["cont", "action", view.get("action")],
    ["cont", "object", view.get("object")],
    ["gte", "at", beginOf(PERIODS.find(([key]) => key === view.get("since"))?.[2])],
  ]);
  return filter ? { filter } : {};
}

function Filters({ view, query }: { view: ListView; query: AuditQuery }) {
  return (
    <Toolbar className="vm-toolbar" aria-label="Audit trail: filters">
      <ToolbarContent>
        <SearchFilter view={view} name="actor" label="Who" />
        <SearchFilter view={view} name="action" label="What" />
        <SearchFilter view={view} name="object" label="Of what" />
        <SelectFilter
          view={view}
          name="since"
          label="Period"
          every="At any time"
          options={PERIODS.map(([key, text]) => [key, text] as const)}
        />
        {ASKED.some((name) => view.get(name) !== "") && (
          <ToolbarItem alignSelf="center">
            <Button
              variant="link"
              isInline
              onClick={() => view.set(Object.fromEntries(ASKED.map((name) => [name, ""])))}
            >
              Clear all filters
            </Button>
          </ToolbarItem>
        )}
        <ToolbarItem align={{ default: "alignEnd" }}>
          <Button
            variant="secondary"
            icon={<DownloadIcon />}
            component="a"
            href={auditCsvHref(query)}
            download="audit.csv"
          >
            Export as CSV
          </Button>
        </ToolbarItem>
      </ToolbarContent>
    </Toolbar>
  );
}

function Entries() {
  const view = useListView();
  const query = queryOf(view);
  const page = useQuery(
    peopleQueries.audit({ ...query, ...(view.after ? { nextpage_opaque_marker: view.after } : {}) }),
  );
  return (
    <section aria-label="Audit trail">
      <p className="vm-quiet">
        Who asked for what, when and from where, and how it ended; the latest first. Entries are kept for a year, and
        hold neither passwords nor what was sent.
      </p>
      <Filters view={view} query={query} />
      <ServerTable
        label="Audit trail"
        counted={(rows) => plural(rows, "entry", "entries")}
        page={page}
        columns={COLUMNS}
        rowKey={({ id }) => String(id)}
        view={view}
        empty={
          ASKED.every((name) => view.get(name) === "") && (
            <Empty title="Nothing has been done yet" icon={HistoryIcon}>
              Every login, and every request that may change something, is written down here.
            </Empty>
          )
        }
      />
    </section>
  );
}

/** Who did what: for administrators. */
export function AuditTrail() {
  return (
    <Withheld title="Only administrators see the audit trail" needs="admin">
      <Entries />
    </Withheld>
  );
}
