import { Toolbar, ToolbarContent } from "@patternfly/react-core";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { ELEMENTS } from "@/administration/sources";
import { q } from "@/api/queries";
import type { Trap, TrapQuery, TrapReceiver } from "@/api/types";
import { TRAP_COLUMNS } from "@/configuration/TrapsTab";
import { pb } from "@/paths";
import { DataTable, type Column } from "@/table/DataTable";
import { ChoiceFilter, SearchFilter, SelectFilter } from "@/table/Filters";
import { filterText } from "@/table/filter";
import { ServerTable, type ServerColumn } from "@/table/ServerTable";
import { useListView, type ListView } from "@/table/view";
import { Empty } from "@/ui/Empty";
import { bytes, number, plural } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { Pending } from "@/ui/Pending";
import { ProblemAlert } from "@/ui/Problem";
import { Screen } from "@/ui/Screen";
import { lookOf, RECEIVER } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago } from "@/ui/Time";

/** What nobody knows has no value to ask for: no part of a name is in it, or its name is empty. */
const UNKNOWN: Record<string, string> = { element: "(ncont,elementName,)", name: "(eq,name,)" };

const [RECEIVED, ...TOLD] = TRAP_COLUMNS;
const COLUMNS: ServerColumn<Trap>[] = [
  ...(RECEIVED ? [RECEIVED] : []),
  {
    title: "From",
    cell: ({ elementId, elementName, sourceAddress }) => (
      <>
        {elementId ? <Link to={pb.element(elementId)}>{elementName ?? elementId}</Link> : "No element of ours"}
        <div className="vm-quiet">{sourceAddress}</div>
      </>
    ),
  },
  ...TOLD,
];

function queryOf(view: ListView): TrapQuery {
  const asked = filterText([
    ["eq", "elementId", view.get("element")],
    ["cont", "name", view.get("trap")],
  ]);
  const filter = [asked, UNKNOWN[view.get("unknown")]].filter(Boolean).join(";");
  return { ...(filter ? { filter } : {}), nextpage_opaque_marker: view.after };
}

function Filters({ view }: { view: ListView }) {
  return (
    <Toolbar className="vm-toolbar" aria-label="Traps: filters">
      <ToolbarContent>
        <SearchFilter view={view} name="trap" label="Search traps by name" />
        <ChoiceFilter view={view} name="element" label="Element" every="Every element" source={ELEMENTS} />
        <SelectFilter
          view={view}
          name="unknown"
          label="Known or not"
          every="Known or not"
          options={[
            ["element", "From no element of ours"],
            ["name", "Not in the catalogue"],
          ]}
        />
      </ToolbarContent>
    </Toolbar>
  );
}

/** Why some of what came is not in the list: only what there is of it. */
function lossesOf(receiver: TrapReceiver): string {
  const losses: [number, string][] = [
    [receiver.sampledOut, "of storms left out"],
    [receiver.repeated, "informs that came again"],
    [receiver.refused, "with a wrong community or user"],
    [receiver.garbled, "garbled"],
    [receiver.overflowed, "left out as too many waited"],
    [receiver.dropped, "dropped by the kernel"],
  ];
  return (
    losses
      .filter(([count]) => count > 0)
      .map(([count, words]) => `${number(count)} ${words}`)
      .join(", ") || "none"
  );
}

const RECEIVERS: Column<TrapReceiver>[] = [
  {
    title: "Receiver",
    isName: true,
    sort: ({ host }) => host,
    cell: ({ host, address, port }) => (
      <>
        {host}
        <div className="vm-quiet vm-normal">
          <code>
            {address}:{port}
          </code>
        </div>
      </>
    ),
  },
  {
    title: "State",
    width: 30,
    cell: ({ status, problem, observedAt }) => (
      <>
        <StateLabel look={lookOf(RECEIVER, status)} />{" "}
        <span className="vm-quiet">
          heard of <Ago at={observedAt} />
        </span>
        {problem && <div className="vm-error-text">{problem}</div>}
      </>
    ),
  },
  {
    title: "Received",
    cell: ({ received, startedAt }) => (
      <>
        <span className="vm-number">{number(received)}</span>
        <div className="vm-quiet">
          since <Ago at={startedAt} />
        </div>
      </>
    ),
  },
  { title: "Kept", cell: ({ stored }) => <span className="vm-number">{number(stored)}</span> },
  { title: "From unknown addresses", cell: ({ unknown }) => <span className="vm-number">{number(unknown)}</span> },
  { title: "Not in the list", width: 25, cell: lossesOf },
  {
    title: "Socket buffer",
    cell: ({ bufferSize, bufferWanted }) =>
      bufferSize < bufferWanted ? `${bytes(bufferSize)} of ${bytes(bufferWanted)} wanted` : bytes(bufferSize),
  },
];

function Receivers() {
  const { data, error } = useQuery(q.trapReceivers());
  return (
    <Panel title="Receivers" {...(data ? { count: data.length } : {})}>
      {error && !data && <ProblemAlert error={error} />}
      {!error && !data && <Pending>Looking who hears…</Pending>}
      {data?.length === 0 && (
        <p>No process has said that it hears traps. Start one: until then only polling finds what has changed.</p>
      )}
      {data && data.length > 0 && (
        <DataTable
          label="Receivers"
          name="receivers"
          rows={data}
          columns={RECEIVERS}
          rowKey={({ host, address, port }) => `${host} ${address} ${port}`}
        />
      )}
    </Panel>
  );
}

/** All notifications that came, and who hears them. */
export function Component() {
  const view = useListView();
  const page = useQuery(q.allTraps(queryOf(view)));
  const asks = ["trap", "element", "unknown"].some((name) => view.get(name) !== "");
  return (
    <Screen
      title="Traps"
      crumbs={[{ text: "Elements", to: pb.elements() }]}
      lead="What network elements told by themselves, newest first. A trap is no alarm: it has the element read at once."
    >
      <div className="vm-stack">
        <Receivers />
        <section aria-label="Traps received">
          <Filters view={view} />
          <ServerTable
            label="Traps"
            counted={(rows) => plural(rows, "trap")}
            page={page}
            columns={COLUMNS}
            rowKey={({ id }) => String(id)}
            view={view}
            empty={
              asks ? undefined : (
                <Empty title="No trap has come" icon={BellIcon}>
                  Have network elements send their traps to a receiver above, and what they tell is listed here.
                </Empty>
              )
            }
          />
        </section>
      </div>
    </Screen>
  );
}
