import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import NetworkIcon from "@patternfly/react-icons/dist/esm/icons/network-icon";
import { q } from "@/api/queries";
import type { BgpPeer, ElementFact, Interface, NetworkElement } from "@/api/types";
import { DataTable, type Column } from "@/table/DataTable";
import { Empty } from "@/ui/Empty";
import { number } from "@/ui/format";
import { Pending } from "@/ui/Pending";
import { ProblemAlert } from "@/ui/Problem";
import { ADMIN_STATE, BGP_STATE, INTERFACE_STATUS } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Since } from "@/ui/Time";
import { PartState } from "./PartState";

const DASH = <span className="vm-quiet">—</span>;

/** bit/s as people say it. */
export function speedText(bits: number): string {
  for (const [size, unit] of [
    [1e9, "Gbit/s"],
    [1e6, "Mbit/s"],
    [1e3, "kbit/s"],
  ] as const) {
    if (bits >= size) return `${number(bits / size)} ${unit}`;
  }
  return `${number(bits)} bit/s`;
}

const INTERFACES: Column<Interface>[] = [
  {
    title: "Name",
    isName: true,
    sort: ({ ifIndex }) => ifIndex,
    cell: ({ name, alias }) => (
      <>
        {name}
        {alias && <div className="vm-quiet vm-normal">{alias}</div>}
      </>
    ),
  },
  {
    title: "State",
    sort: ({ operState }) => operState,
    cell: ({ operState, lastOperState, since, unknownSince }) => (
      <PartState
        look={INTERFACE_STATUS[operState]}
        last={INTERFACE_STATUS[lastOperState]}
        since={since}
        unknownSince={unknownSince}
      />
    ),
  },
  {
    title: "Admin",
    sort: ({ adminState }) => adminState,
    cell: ({ adminState }) => INTERFACE_STATUS[adminState].text,
  },
  { title: "Speed", sort: ({ speed }) => speed ?? -1, cell: ({ speed }) => (speed ? speedText(speed) : DASH) },
  { title: "Addresses", cell: ({ addresses }) => (addresses.length > 0 ? addresses.join(", ") : DASH) },
  { title: "MAC", cell: ({ mac }) => (mac ? <code>{mac}</code> : DASH) },
  { title: "MTU", sort: ({ mtu }) => mtu ?? -1, cell: ({ mtu }) => mtu ?? DASH },
  { title: "ifIndex", sort: ({ ifIndex }) => ifIndex, cell: ({ ifIndex }) => ifIndex },
];

const PEERS: Column<BgpPeer>[] = [
  { title: "Neighbour", isName: true, sort: (row) => row.peerAddress, cell: (row) => <code>{row.peerAddress}</code> },
  { title: "Routing instance", sort: ({ vrf }) => vrf, cell: ({ vrf }) => vrf || "Base" },
  { title: "Remote AS", sort: (row) => row.remoteAs ?? -1, cell: (row) => row.remoteAs ?? DASH },
  {
    title: "State",
    sort: ({ state }) => state,
    cell: ({ state, lastState, since, unknownSince }) => (
      <PartState look={BGP_STATE[state]} last={BGP_STATE[lastState]} since={since} unknownSince={unknownSince} />
    ),
  },
  {
    title: "Admin",
    sort: ({ adminState }) => adminState,
    cell: ({ adminState }) => <StateLabel look={ADMIN_STATE[adminState]} />,
  },
];

const FACTS: Column<ElementFact>[] = [
  { title: "Fact", isName: true, sort: ({ name }) => name, cell: ({ name }) => name },
  { title: "Of", sort: ({ subject }) => subject, cell: ({ subject }) => subject || "the element" },
  { title: "Value", sort: ({ value }) => value, cell: ({ value }) => value },
  {
    title: "Since",
    sort: ({ since }) => since,
    cell: ({ since, unknownSince }) => (
      <>
        <Since at={since} />
        {unknownSince && (
          <div className="vm-quiet">
            not known any more since <Since at={unknownSince} />
          </div>
        )}
      </>
    ),
  },
  { title: "From", sort: ({ polled }) => String(polled), cell: ({ polled }) => (polled ? "its tables" : "a trap") },
];

interface PartsProps<Row> {
  label: string;
  none: string;
  list: UseQueryResult<Row[]>;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
}

function Parts<Row extends object>({ label, none, list, columns, rowKey }: PartsProps<Row>) {
  const { data, error } = list;
  if (error && !data) return <ProblemAlert error={error} level="h2" />;
  if (!data) return <Pending>Reading the list…</Pending>;
  if (data.length === 0) {
    return (
      <Empty title={`No ${label.toLowerCase()}`} icon={NetworkIcon}>
        {none}
      </Empty>
    );
  }
  return (
    <DataTable
      label={label}
      name={label.toLowerCase()}
      rows={data}
      columns={columns}
      rowKey={rowKey}
      searchText={(row) => Object.values(row).join(" ")}
      initialSort={{ column: 0, direction: "asc" }}
    />
  );
}

export const InterfacesTab = ({ element }: { element: NetworkElement }) => (
  <Parts
    label="Interfaces"
    none="The element lists none, or has not been read yet."
    list={useQuery(q.interfaces(element.id))}
    columns={INTERFACES}
    rowKey={({ ifIndex }) => String(ifIndex)}
  />
);

export const BgpTab = ({ element }: { element: NetworkElement }) => (
  <Parts
    label="BGP neighbours"
    none="The element lists none, or has not been read yet."
    list={useQuery(q.bgpPeers(element.id))}
    columns={PEERS}
    rowKey={({ vrf, peerAddress }) => `${vrf} ${peerAddress}`}
  />
);

export const FactsTab = ({ element }: { element: NetworkElement }) => (
  <Parts
    label="Facts"
    none="Redundancy, licences, table sizes and the like are listed here when the element tells them."
    list={useQuery(q.facts(element.id))}
    columns={FACTS}
    rowKey={({ name, subject }) => `${name} ${subject}`}
  />
);
