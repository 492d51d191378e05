import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import NetworkIcon from "@patternfly/react-icons/dist/esm/icons/network-icon";
import { q } from "@/api/queries";
import type { BgpPeer, ElementFact, NetworkElement } from "@/api/types";
import { DataTable, type Column } from "@/table/DataTable";
import { Empty } from "@/ui/Empty";
import { LoadingNote } from "@/ui/LoadingNote";
import { faultText, wordsOf } from "@/ui/names";
import { ProblemAlert } from "@/ui/Problem";
import { ADMIN_STATE, BGP_STATE } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Since } from "@/ui/Time";
import { PartState } from "./PartState";

const DASH = <span className="vm-quiet">—</span>;

/** "IPv4 unicast 12 / 10 / 3", one line per address family. */
const prefixes = ({ families }: BgpPeer): string[] =>
  families.map(({ family, received, accepted, advertised }) =>
    [family, [received, accepted, advertised].map((count) => count ?? "—").join(" / ")].join(" "),
  );

const PEERS: Column<BgpPeer>[] = [
  { title: t`Neighbour`, isName: true, sort: (row) => row.peerAddress, cell: (row) => <code>{row.peerAddress}</code> },
  { title: t`VRF`, sort: ({ vrf }) => vrf, cell: ({ vrf }) => vrf || t`Base` },
  { title: t`Remote AS`, sort: (row) => row.remoteAs ?? -1, cell: (row) => row.remoteAs ?? DASH },
  {
    title: t`State`,
    sort: ({ state }) => state,
    cell: ({ state, lastState, since, unknownSince }) => (
      <PartState look={BGP_STATE[state]} last={BGP_STATE[lastState]} since={since} unknownSince={unknownSince} />
    ),
  },
  {
    title: t`Admin`,
    sort: ({ adminState }) => adminState,
    cell: ({ adminState }) => <StateLabel look={ADMIN_STATE[adminState]} />,
  },
  {
    title: t`Prefixes: in / accepted / out`,
    width: 30,
    sort: ({ families }) => families.reduce((sum, { accepted }) => sum + (accepted ?? 0), 0),
    cell: (peer) => (peer.families.length > 0 ? prefixes(peer).map((line) => <div key={line}>{line}</div>) : DASH),
  },
  { title: t`Flaps`, sort: ({ flaps }) => flaps ?? -1, cell: ({ flaps }) => flaps ?? DASH },
  { title: t`Last error`, width: 15, sort: ({ lastError }) => lastError, cell: ({ lastError }) => lastError || DASH },
];

const FACTS: Column<ElementFact>[] = [
  { title: t`Fact`, isName: true, sort: ({ name }) => name, cell: ({ name }) => faultText(name.replaceAll("_", " ")) },
  { title: t`Subject`, sort: ({ subject }) => subject, cell: ({ subject }) => subject || t`the element` },
  { title: t`Value`, sort: ({ value }) => value, cell: ({ value }) => wordsOf(value) },
  {
    title: t`Since`,
    sort: ({ since }) => since,
    cell: ({ since, unknownSince }) => (
      <>
        <Since at={since} />
        {unknownSince && (
          <div className="vm-quiet">
            <Trans>
              unknown since <Since at={unknownSince} />
            </Trans>
          </div>
        )}
      </>
    ),
  },
  { title: t`From`, sort: ({ polled }) => String(polled), cell: ({ polled }) => (polled ? t`polling` : t`a trap`) },
];

interface PartsProps<Row> {
  label: string;
  /** Name of the list in the address. */
  name: string;
  /** Text of an empty list: that there are none, and a possible reason. */
  none: [title: string, why: string];
  list: UseQueryResult<Row[]>;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  /** Gives the text to search, if it is more than the row contains. */
  searchText?: (row: Row) => string;
  rowClass?: (row: Row) => string | undefined;
}

export function Parts<Row extends object>({ label, name, none, list, ...table }: PartsProps<Row>) {
  const { data, error } = list;
  if (error && !data) return <ProblemAlert error={error} level="h2" />;
  if (!data)
    return (
      <LoadingNote>
        <Trans>Loading the list…</Trans>
      </LoadingNote>
    );
  if (data.length === 0) {
    return (
      <Empty title={none[0]} icon={NetworkIcon}>
        {none[1]}
      </Empty>
    );
  }
  return (
    <DataTable
      label={label}
      name={name}
      rows={data}
      searchText={(row) => Object.values(row).join(" ")}
      {...table}
      initialSort={{ column: 0, direction: "asc" }}
    />
  );
}

const nameOf = ({ vrf, peerAddress }: BgpPeer): string => [vrf, peerAddress].filter(Boolean).join(":");

/** The address may name a neighbour. */
export function BgpTab({ element }: { element: NetworkElement }) {
  const [params] = useSearchParams();
  const asked = params.get("peer") ?? "";
  const list = useQuery(q.bgpPeers(element.id));
  return (
    <Parts
      label={t`BGP neighbours`}
      name="bgp-neighbours"
      none={[t`No BGP neighbours`, t`The element has none, or has not been polled yet.`]}
      list={list}
      columns={PEERS}
      rowKey={({ vrf, peerAddress }) => `${vrf} ${peerAddress}`}
      searchText={(peer) =>
        [
          ...[peer.vrf, peer.remoteAs, peer.state, peer.adminState, ADMIN_STATE[peer.adminState].text, peer.lastError],
          ...[...prefixes(peer), nameOf(peer)],
        ].join(" ")
      }
      rowClass={(peer) => (nameOf(peer) === asked ? "vm-row-chosen" : undefined)}
    />
  );
}

export const FactsTab = ({ element }: { element: NetworkElement }) => (
  <Parts
    label={t`Facts`}
    name="facts"
    none={[t`No facts`, t`Redundancy, licences, table sizes and the like are listed here if the element reports them.`]}
    list={useQuery(q.facts(element.id))}
    columns={FACTS}
    rowKey={({ name, subject }) => `${name} ${subject}`}
  />
);
