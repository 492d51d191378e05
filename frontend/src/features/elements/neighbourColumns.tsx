import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { Adjacency, NetworkElement } from "@/api/types";
import { pb } from "@/paths";
import { ADJACENCY_STATE, type Look } from "@/ui/states";
import { PartState } from "./PartState";

/** The most reliable name comes first. */
const namesOf = ({ remoteName, remoteAddress, remoteId }: Adjacency): string[] =>
  [remoteName, remoteAddress, remoteId].filter(Boolean);

export const adjacencyKey = ({ protocol, localPort, remoteId, remotePort }: Adjacency): string =>
  [protocol, localPort, remoteId, remotePort].join(" ");

export type ElementOf = (adjacency: Adjacency) => NetworkElement | undefined;

/** A name that two elements share identifies neither. */
export function useNeighbours(adjacencies: readonly Adjacency[]): ElementOf {
  const names = useMemo(() => [...new Set(adjacencies.flatMap(namesOf))].sort(), [adjacencies]);
  const { data } = useQuery(q.elementsCalled(names));
  return useMemo(() => {
    const called = new Map<string, NetworkElement | null>();
    for (const element of data ?? []) {
      for (const name of new Set([element.sysName, element.managementAddress])) {
        const known = called.get(name);
        called.set(name, known === undefined || known?.id === element.id ? element : null);
      }
    }
    return (adjacency) =>
      namesOf(adjacency)
        .map((name) => called.get(name))
        .find(Boolean) ?? undefined;
  }, [data]);
}

/** A managed element is a link. */
export function Neighbour({ adjacency, elementOf }: { adjacency: Adjacency; elementOf: ElementOf }) {
  const element = elementOf(adjacency);
  if (element) return <Link to={pb.element(element.id)}>{element.name}</Link>;
  const [name = t`unknown neighbour`] = namesOf(adjacency);
  return <>{name}</>;
}

/** LLDP reports a neighbour or has lost it. */
const lookOfState = (protocol: Adjacency["protocol"], state: Adjacency["state"]): Look =>
  protocol === "LLDP" && state === "FULL" ? { ...ADJACENCY_STATE.FULL, text: t`Learned` } : ADJACENCY_STATE[state];

export function AdjacencyState({ adjacency }: { adjacency: Adjacency }) {
  const { protocol, state, lastState, since, unknownSince } = adjacency;
  return (
    <PartState
      look={lookOfState(protocol, state)}
      last={lookOfState(protocol, lastState)}
      since={since}
      unknownSince={unknownSince}
    />
  );
}
