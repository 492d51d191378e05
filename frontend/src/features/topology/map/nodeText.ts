/** The texts are used by screen readers, list and details. */
import { plural, t } from "@lingui/core/macro";
import type { LinkKind, MapGroup, MapLink, MapNode, MapState, NodeKind } from "@/api/topology";
import { sinceTime } from "@/ui/format";
import { faultText } from "@/ui/names";
import { lookOf, MAP_STATE, SEVERITY } from "@/ui/states";

export const KIND: Record<NodeKind, string> = {
  SITE: t`Site`,
  ELEMENT: t`Network element`,
  NEIGHBOUR: t`Neighbour`,
  CLOUD: t`Cloud`,
  HOST: t`Host`,
  INSTANCE: t`VNF instance`,
  VM: "VM",
  NETWORK: t`Network`,
};
const SOME: Record<NodeKind, (n: number) => string> = {
  SITE: (n) => plural(n, { one: "# site", other: "# sites" }),
  ELEMENT: (n) => plural(n, { one: "# network element", other: "# network elements" }),
  NEIGHBOUR: (n) => plural(n, { one: "# neighbour", other: "# neighbours" }),
  CLOUD: (n) => plural(n, { one: "# cloud", other: "# clouds" }),
  HOST: (n) => plural(n, { one: "# host", other: "# hosts" }),
  INSTANCE: (n) => plural(n, { one: "# VNF instance", other: "# VNF instances" }),
  VM: (n) => plural(n, { one: "# VM", other: "# VMs" }),
  NETWORK: (n) => plural(n, { one: "# network", other: "# networks" }),
};
export const NODE_KINDS = Object.keys(KIND) as NodeKind[];

export const LINK_KIND: Record<LinkKind, string> = {
  LLDP: t`Physical link (LLDP)`,
  OSPF: t`OSPF adjacency`,
  BGP: t`BGP session`,
  ATTACHMENT: t`Port on a network`,
  PLACEMENT: t`Runs on`,
  MEMBERSHIP: t`Part of`,
  MANAGEMENT: t`Is the VNF instance`,
  CHASSIS: t`On the chassis`,
};
/** Other links only say what belongs together. */
export const carries = ({ kind }: Pick<MapLink, "kind">): boolean =>
  kind === "LLDP" || kind === "OSPF" || kind === "BGP" || kind === "ATTACHMENT";

/** From this load on, in per cent, a link needs attention. */
export const FULL = 80;
export const isFull = ({ utilisation }: Pick<MapLink, "utilisation">): boolean => (utilisation ?? 0) >= FULL;

/** Undefined for a link without an interface of its own. */
export function loadText({ kind, utilisation }: Pick<MapLink, "kind" | "utilisation">): string | undefined {
  if (kind !== "LLDP" && kind !== "OSPF") return undefined;
  return utilisation === null ? t`load unknown` : t`load ${utilisation} %`;
}

/** A node that is up but has alarms has their colour, so that the problem is visible from afar. */
export const colorOf = ({ state, severity }: Pick<MapNode, "state" | "severity">): string =>
  state === "UP" && severity ? lookOf(SEVERITY, severity).color : lookOf(MAP_STATE, state).color;

function counted(numbers: Record<string, number>, words: (key: string, n: number) => string): string {
  return Object.entries(numbers)
    .filter(([, n]) => n > 0)
    .map(([key, n]) => words(key, n))
    .join(", ");
}

export const membersText = ({ members }: Pick<MapGroup, "members">): string =>
  counted(members, (kind, n) => SOME[kind as NodeKind](n));

export const stateText = (state: MapState): string => lookOf(MAP_STATE, state).text.toLowerCase();
export const statesText = (states: Record<string, number>): string =>
  counted(states, (state, n) => `${n} ${stateText(state as MapState)}`);

export const alarmsText = ({ alarms, severity }: Pick<MapNode, "alarms" | "severity">): string =>
  severity
    ? t`${plural(alarms, { one: "# alarm", other: "# alarms" })}, worst ${lookOf(SEVERITY, severity).text.toLowerCase()}`
    : t`no alarms`;

const nodeState = ({ state, since }: Pick<MapNode, "state" | "since">, now: number): string =>
  since ? t`${stateText(state)} since ${sinceTime(since, now)}` : stateText(state);

/** A group says how many of its parts are up. */
export function reasonText({ state, reason, message, group }: MapNode): string {
  if (state === "UP" || state === "UNKNOWN" || group || !reason) return "";
  return reason === "Together" ? message : faultText(reason);
}

/**
 * "Site Berlin, degraded since 14:02:11: 3 of 4 network elements up; 2 alarms, worst major; closed, 4 network
 * elements"
 */
export function nodeWords(node: MapNode, now: number): string {
  const { group } = node;
  const held = group && (group.open ? t`open, ${membersText(group)}` : t`closed, ${membersText(group)}`);
  const what = t`${KIND[node.kind]} ${node.name}, ${nodeState(node, now)}`;
  return [what, alarmsText(node), ...(held ? [held] : [])].join("; ");
}

export function linkWords(link: MapLink, names: ReadonlyMap<string, string>, now: number): string {
  const end = (id: string, port: string) => [names.get(id) ?? id, port].filter(Boolean).join(" ");
  const many = link.count > 1 ? ` ×${link.count}` : "";
  const ends = `${end(link.source, link.sourcePort)} – ${end(link.target, link.targetPort)}`;
  const state = carries(link) ? [nodeState(link, now)] : [];
  const load = loadText(link);
  const notes = [...(load ? [load] : []), ...(link.oneSided ? [t`reported by one end only`] : [])];
  return [`${LINK_KIND[link.kind]}${many}: ${ends}`, ...state, ...notes].join(", ");
}
