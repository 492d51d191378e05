import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { ELEMENTS } from "@/records/optionSources";
import { q } from "@/api/queries";
import type { Trap, TrapQuery, TrapReceiver } from "@/api/types";
import { TRAP_COLUMNS } from "@/features/configuration/TrapsTab";
import { pb } from "@/paths";
import { DataTable, type Column } from "@/table/DataTable";
import { SearchFilter } from "@/table/Filters";
import { ListBar, type FilterField } from "@/table/ListBar";
import { TableOptions } from "@/table/TableOptions";
import { filterText } from "@/api/filter";
import { ServerTable, type ServerColumn } from "@/table/ServerTable";
import { useListView, type ListView } from "@/ui/listView";
import { Empty } from "@/ui/Empty";
import { bytes, number } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { LoadedRows } from "@/ui/LoadedRows";
import { Screen } from "@/ui/Screen";
import { lookOf, RECEIVER } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago } from "@/ui/Time";

/** Unknown senders and traps have no value to filter by; these filters match empty ones. */
const UNKNOWN: Record<string, string> = { element: "(ncont,elementName,)", name: "(eq,name,)" };

const [RECEIVED, ...OTHER_COLUMNS] = TRAP_COLUMNS;
const COLUMNS: ServerColumn<Trap>[] = [
  ...(RECEIVED ? [RECEIVED] : []),
  {
    title: t`From`,
    cell: ({ elementId, elementName, sourceAddress }) => (
      <>
        {elementId ? <Link to={pb.element(elementId)}>{elementName ?? elementId}</Link> : t`Unknown sender`}
        <div className="vm-quiet">{sourceAddress}</div>
      </>
    ),
  },
  ...OTHER_COLUMNS,
];

function queryOf(view: ListView): TrapQuery {
  const asked = filterText([
    ["eq", "elementId", view.get("element")],
    ["cont", "name", view.get("trap")],
  ]);
  const filter = [asked, UNKNOWN[view.get("unknown")]].filter(Boolean).join(";");
  return { ...(filter ? { filter } : {}), ...view.paging };
}

const FIELDS: readonly FilterField[] = [
  { name: "element", label: t`Element`, every: t`All elements`, source: ELEMENTS },
  {
    name: "unknown",
    label: t`Sender`,
    every: t`Any sender`,
    options: [
      ["element", t`From unknown senders`],
      ["name", t`Not in the trap catalogue`],
    ],
  },
];

/** Only reasons that occurred are listed. */
function lossesOf(receiver: TrapReceiver): string {
  const losses: [number, (count: string) => string][] = [
    [receiver.sampledOut, (count) => t`${count} dropped in storms`],
    [receiver.repeated, (count) => t`${count} repeated informs`],
    [receiver.refused, (count) => t`${count} with a wrong community or user`],
    [receiver.garbled, (count) => t`${count} malformed`],
    [receiver.overflowed, (count) => t`${count} dropped because the queue was full`],
    [receiver.dropped, (count) => t`${count} dropped by the kernel`],
  ];
  return (
    losses
      .filter(([count]) => count > 0)
      .map(([count, words]) => words(number(count)))
      .join(", ") || t`none`
  );
}

function Losses({ receiver }: { receiver: TrapReceiver }) {
  return (
    <>
      {lossesOf(receiver)}
      {receiver.refusals.map(({ sourceAddress, elementName, reason, count }) => (
        <div key={`${sourceAddress} ${reason}`} className="vm-quiet">
          {number(count)} {elementName ?? sourceAddress}: {reason}
        </div>
      ))}
    </>
  );
}

const RECEIVERS: Column<TrapReceiver>[] = [
  {
    title: t`Receiver`,
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
    title: t`State`,
    width: 30,
    cell: ({ status, problem, observedAt }) => (
      <>
        <StateLabel look={lookOf(RECEIVER, status)} />{" "}
        <span className="vm-quiet">
          <Trans>
            last heartbeat <Ago at={observedAt} />
          </Trans>
        </span>
        {problem && <div className="vm-error-text">{problem}</div>}
      </>
    ),
  },
  {
    title: t`Received`,
    cell: ({ received, startedAt }) => (
      <>
        <span className="vm-number">{number(received)}</span>
        <div className="vm-quiet">
          <Trans>
            since <Ago at={startedAt} />
          </Trans>
        </div>
      </>
    ),
  },
  { title: t`Stored`, cell: ({ stored }) => <span className="vm-number">{number(stored)}</span> },
  { title: t`From unknown addresses`, cell: ({ unknown }) => <span className="vm-number">{number(unknown)}</span> },
  { title: t`Dropped`, width: 25, cell: (receiver) => <Losses receiver={receiver} /> },
  {
    title: t`Socket buffer`,
    cell: ({ bufferSize, bufferWanted }) =>
      bufferSize < bufferWanted ? t`${bytes(bufferSize)} of ${bytes(bufferWanted)} requested` : bytes(bufferSize),
  },
];

function Receivers() {
  const query = useQuery(q.trapReceivers());
  return (
    <Panel title={t`Receivers`} {...(query.data ? { count: query.data.length } : {})}>
      <LoadedRows
        query={query}
        loading={t`Loading the receivers…`}
        none={<p>{t`No trap receiver is running. Start one: until then only polling detects changes.`}</p>}
      >
        {(receivers) => (
          <DataTable
            label={t`Receivers`}
            name="receivers"
            rows={receivers}
            columns={RECEIVERS}
            rowKey={({ host, address, port }) => `${host} ${address} ${port}`}
          />
        )}
      </LoadedRows>
    </Panel>
  );
}

function TrapsPage() {
  const view = useListView();
  const page = useQuery(q.allTraps(queryOf(view)));
  const asks = ["trap", "element", "unknown"].some((name) => view.get(name) !== "");
  return (
    <Screen title={t`Traps`} crumbs={[{ text: t`Elements`, to: pb.elements() }]}>
      <div className="vm-stack">
        <Receivers />
        <section aria-label={t`Traps received`}>
          <ListBar
            label={t`Traps`}
            view={view}
            fields={FIELDS}
            search={<SearchFilter view={view} name="trap" label={t`Search traps by name`} />}
            end={<TableOptions label={t`Traps`} columns={COLUMNS} />}
          />
          <ServerTable
            label={t`Traps`}
            counted={(rows) => plural(rows, { one: "# trap", other: "# traps" })}
            page={page}
            columns={COLUMNS}
            rowKey={({ id }) => String(id)}
            view={view}
            empty={
              asks ? undefined : (
                <Empty title={t`No traps received`} icon={BellIcon}>
                  <Trans>Configure network elements to send their traps to a receiver above.</Trans>
                </Empty>
              )
            }
          />
        </section>
      </div>
    </Screen>
  );
}

export { TrapsPage as Component };
