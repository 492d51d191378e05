import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Title } from "@patternfly/react-core";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { Adjacency, Interface, NetworkElement } from "@/api/types";
import { pb } from "@/paths";
import { Facts, type Fact } from "@/ui/Facts";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { BGP_STATE, INTERFACE_STATUS } from "@/ui/states";
import { adjacencyKey, AdjacencyState, Neighbour, useNeighbours } from "@/features/elements/neighbourColumns";
import { lookOfInterface } from "@/features/elements/equipment";
import { PartState } from "@/features/elements/PartState";
import { speedText } from "@/ui/speed";
import { countedName } from "./counterNames";
import { Traffic } from "./Traffic";

const NONE: readonly never[] = [];

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="vm-part" aria-label={title}>
      <Title headingLevel="h3" size="md">
        {title}
      </Title>
      {children}
    </section>
  );
}

interface Here {
  element: NetworkElement;
  found: Interface;
  all: readonly Interface[];
}

const nameOf = ({ name, ifIndex }: Interface): string => name || t`ifIndex ${ifIndex}`;

/** In SR OS the router interfaces on a port have the addresses and neighbours. */
const routersOn = (all: readonly Interface[], ifIndex: number): Interface[] =>
  all.filter(({ portIfIndex }) => portIfIndex === ifIndex);

function LinksTo({ element, interfaces }: { element: NetworkElement; interfaces: readonly Interface[] }) {
  return (
    <span className="vm-labels">
      {interfaces.map((each) => (
        <Link key={each.ifIndex} to={pb.elementInterface(element.id, each.ifIndex)}>
          {nameOf(each)}
        </Link>
      ))}
    </span>
  );
}

/** An interface may be on another one and have others on it. */
function layersOf({ element, found, all }: Here): Fact[] {
  const layers: [string, Interface[]][] = [
    [t`On port`, all.filter(({ ifIndex }) => ifIndex === found.portIfIndex)],
    [t`Router interfaces`, routersOn(all, found.ifIndex)],
  ];
  return layers
    .filter(([, interfaces]) => interfaces.length > 0)
    .map(([term, interfaces]) => [term, <LinksTo key={term} element={element} interfaces={interfaces} />]);
}

function factsOf(here: Here): Fact[] {
  const { found } = here;
  return [
    [
      t`Interface`,
      <span key="name">
        {nameOf(found)} {found.alias && <span className="vm-quiet">{found.alias}</span>}
      </span>,
    ],
    [
      t`Operational`,
      <PartState
        key="state"
        look={lookOfInterface(found)}
        last={INTERFACE_STATUS[found.lastOperState]}
        since={found.since}
        unknownSince={found.unknownSince}
      />,
    ],
    [t`Admin`, INTERFACE_STATUS[found.adminState].text],
    ...layersOf(here),
    [t`Speed`, found.speed ? speedText(found.speed) : t`unknown`],
    [t`Addresses`, found.addresses.length > 0 ? found.addresses.join(", ") : t`none`],
    ["MAC", found.mac ? <code key="mac">{found.mac}</code> : t`unknown`],
    ["MTU", found.mtu ?? t`unknown`],
  ];
}

interface ListProps<Row> {
  list: UseQueryResult<Row[]>;
  rows: readonly Row[];
  none: string;
  rowKey: (row: Row) => string;
  children: (row: Row) => ReactNode;
}

/** Only a complete list can say that the port has no rows. */
function Few<Row>({ list: { data, error }, rows, none, rowKey, children }: ListProps<Row>) {
  if (error && !data) return <ProblemAlert error={error} />;
  if (!data)
    return (
      <LoadingNote>
        <Trans>Loading the list…</Trans>
      </LoadingNote>
    );
  if (rows.length === 0) return <p className="vm-quiet">{none}</p>;
  return (
    <ul className="vm-plain-list">
      {rows.map((row) => (
        <li key={rowKey(row)} className="vm-labels">
          {children(row)}
        </li>
      ))}
    </ul>
  );
}

function PortNeighbours({ element, ifIndex }: { element: NetworkElement; ifIndex: number }) {
  const list = useQuery(q.adjacencies(element.id));
  const mine: readonly Adjacency[] =
    list.data?.filter((each) => each.ifIndex === ifIndex || each.portIfIndex === ifIndex) ?? NONE;
  const elementOf = useNeighbours(list.data ?? NONE);
  return (
    <Few list={list} rows={mine} none={t`No LLDP or OSPF neighbours.`} rowKey={adjacencyKey}>
      {(adjacency) => (
        <>
          <span>
            {adjacency.protocol} <Neighbour adjacency={adjacency} elementOf={elementOf} /> {adjacency.remotePort}
          </span>
          <AdjacencyState adjacency={adjacency} />
        </>
      )}
    </Few>
  );
}

function withoutPeers({ found, all }: Here): string {
  if (found.addresses.length > 0) return t`None in its subnets.`;
  if (routersOn(all, found.ifIndex).some(({ addresses }) => addresses.length > 0))
    return t`None in the subnets of its router interfaces.`;
  return t`Unknown: the port has no IP address to match.`;
}

function PortPeers(here: Here) {
  const { element, found } = here;
  const list = useQuery(q.bgpPeers(element.id));
  return (
    <Few
      list={list}
      rows={list.data?.filter(({ ifIndexes }) => ifIndexes.includes(found.ifIndex)) ?? NONE}
      none={withoutPeers(here)}
      rowKey={({ vrf, peerAddress }) => `${vrf} ${peerAddress}`}
    >
      {({ vrf, peerAddress, state, lastState, since, unknownSince }) => (
        <>
          <Link to={pb.elementPeer(element.id, [vrf, peerAddress].filter(Boolean).join(":"))}>{peerAddress}</Link>
          {vrf && <span className="vm-quiet">{vrf}</span>}
          <PartState look={BGP_STATE[state]} last={BGP_STATE[lastState]} since={since} unknownSince={unknownSince} />
        </>
      )}
    </Few>
  );
}

export function PortDetails({ element, ifIndex }: { element: NetworkElement; ifIndex: number }) {
  const { data: all, error } = useQuery(q.interfaces(element.id));
  if (error && !all) return <ProblemAlert error={error} />;
  if (!all)
    return (
      <LoadingNote>
        <Trans>Loading the interface…</Trans>
      </LoadingNote>
    );
  const found = all.find((each) => each.ifIndex === ifIndex);
  if (!found) {
    return (
      <p className="vm-quiet">
        <Trans>Traffic unknown: the element has no interface with ifIndex {ifIndex}, or has not been polled yet.</Trans>
      </p>
    );
  }
  return (
    <>
      <Section title={t`Interface`}>
        <Facts facts={factsOf({ element, found, all })} />
      </Section>
      <Section title={t`Traffic`}>
        <Traffic element={element} object={countedName(found, all)} />
      </Section>
      <Section title={t`Neighbours`}>
        <PortNeighbours element={element} ifIndex={ifIndex} />
      </Section>
      <Section title={t`BGP neighbours`}>
        <PortPeers element={element} found={found} all={all} />
      </Section>
    </>
  );
}
