/** Pure functions from the server's answer to nodes and edges of the drawing. */
import type { Edge } from "@xyflow/react";
import type { MapLink, MapNode, MapState, TopologyMap } from "@/api/topology";
import type { Severity } from "@/api/types";
import { lookOf, MAP_STATE, SEVERITIES } from "@/ui/states";
import type { Data, ExtentNode, FlowNode } from "./nodes";
import type { Item } from "./place";
import { extentOf, type Scene } from "./scene";
import { carries, isFull, linkWords, nodeWords } from "./nodeText";

/** Frames are below links and links below boxes; a frame inside a frame is one higher. */
const LINKS = 10;
const ABOVE_LINKS = 20;

export interface Filter {
  severity: Severity | "";
  state: MapState | "";
}

/** A group matches if one of its members does. */
export function matches(node: MapNode, { severity, state }: Filter): boolean {
  const inState = !state || node.state === state || (node.group?.states[state] ?? 0) > 0;
  const severe =
    !severity || (node.severity !== null && SEVERITIES.indexOf(node.severity) <= SEVERITIES.indexOf(severity));
  return inState && severe;
}

export const itemsOf = (nodes: readonly MapNode[]): Item[] =>
  nodes.map(({ id, parentId, group, kind }) => ({
    ...{ id, parentId, kind },
    open: group?.open ?? false,
    group: group !== null,
  }));

const isFailing = (link: MapLink): boolean => link.state !== "UP" && carries(link);

/** A map with more boxes or links is drawn as one picture, with boxes in the document only for some nodes in view. */
const BOXES_DRAWN = 300;
const LINKS_DRAWN = 400;
export const isPictured = ({ nodes, links }: Pick<TopologyMap, "nodes" | "links">): boolean =>
  nodes.length > BOXES_DRAWN || links.length > LINKS_DRAWN;

/** Parts of a VNF instance begin with its name, which would be all that fits, so it is left out: "mg-4". */
export function shortName(name: string, parent: Pick<MapNode, "kind" | "name"> | undefined): string {
  if (parent?.kind !== "INSTANCE" || !name.startsWith(parent.name)) return name;
  return name.slice(parent.name.length).replace(/^[-_. ]+/, "") || name;
}

export function flowNodes(
  scene: Scene,
  filter: Filter,
  shown: { selected: string; now: number; onToggle: Data["onToggle"] },
): FlowNode[] {
  return [...scene.values()].map(({ node, spot, parentId }) => ({
    id: node.id,
    type: !node.group ? "leaf" : node.group.open ? "open" : "closed",
    position: { x: spot.x, y: spot.y },
    ...{ width: spot.width, height: spot.height, ...(parentId !== undefined && { parentId }) },
    data: {
      ...{ node, dim: !matches(node, filter), onToggle: shown.onToggle },
      short: shortName(node.name, scene.get(parentId ?? "")?.node),
    },
    selected: node.id === shown.selected,
    ariaLabel: nodeWords(node, shown.now),
    zIndex: node.group?.open ? 0 : ABOVE_LINKS,
  }));
}

export const EXTENT = "extent";
/** Stands for all nodes without a box. */
export function extentNode(scene: Scene): ExtentNode {
  const { x, y, width, height } = extentOf(scene);
  return {
    ...{ id: EXTENT, type: "extent", position: { x, y }, width, height, data: {}, zIndex: 0 },
    ...{ draggable: false, selectable: false, focusable: false, domAttributes: { "aria-hidden": true } },
  };
}

type Drawn = FlowNode | ExtentNode;
const isSame = (a: Drawn, b: Drawn): boolean =>
  a.data["node"] === b.data["node"] &&
  a.data["dim"] === b.data["dim"] &&
  a.data["onToggle"] === b.data["onToggle"] &&
  a.ariaLabel === b.ariaLabel &&
  a.selected === b.selected &&
  a.type === b.type &&
  a.parentId === b.parentId &&
  a.position.x === b.position.x &&
  a.position.y === b.position.y &&
  a.width === b.width &&
  a.height === b.height &&
  a.zIndex === b.zIndex;

/** React Flow renders only changed objects, so equal ones are kept. */
export function reuseUnchanged(before: readonly Drawn[], next: readonly Drawn[]): Drawn[] {
  const known = new Map(before.map((each) => [each.id, each]));
  return next.map((each) => {
    const old = known.get(each.id);
    return old && isSame(old, each) ? old : each;
  });
}

/** A moved node keeps its place until the next layout. */
export function keepPlaces(before: readonly Drawn[], next: readonly Drawn[]): Drawn[] {
  const known = new Map(before.map(({ id, position }) => [id, position]));
  return next.map((each) => ({ ...each, position: known.get(each.id) ?? each.position }));
}

function words(link: MapLink): string {
  const isNamed = link.count > 1 || (isFailing(link) && link.kind !== "ATTACHMENT");
  const state = isNamed && link.state !== "UP" ? lookOf(MAP_STATE, link.state).text : "";
  return [link.count > 1 ? `${link.count}×` : "", state].filter(Boolean).join(" ");
}

interface Top {
  label: string;
  utilisation: number | null;
}

/**
 * Links between the same two boxes lie on top of each other, so the last one shows the worst state and the highest
 * load of all.
 */
function tops(links: readonly MapLink[]): ReadonlyMap<string, Top> {
  const pairs = Map.groupBy(links, ({ source, target }) => [source, target].sort().join(" "));
  return new Map(
    [...pairs.values()].map((alike) => {
      const known = alike.flatMap(({ utilisation }) => utilisation ?? []);
      const utilisation = known.length > 0 ? Math.max(...known) : null;
      const texts = [...alike.map(words), utilisation === null ? "" : `${utilisation} %`];
      return [alike.at(-1)?.id ?? "", { label: texts.filter(Boolean).join(" · "), utilisation }] as const;
    }),
  );
}

export function flowEdges(
  links: readonly MapLink[],
  names: ReadonlyMap<string, string>,
  { selected, now }: { selected: string; now: number },
): Edge[] {
  const top = tops(links);
  return links.map((link): Edge => {
    const look = lookOf(MAP_STATE, link.state);
    const at = link.source === selected || link.target === selected ? " vm-link-at" : "";
    const color = carries(link) ? ` vm-edge-${look.color} vm-link-${link.state.toLowerCase()}` : " vm-link-relation";
    return {
      ...{ id: link.id, source: link.source, target: link.target, focusable: false, selectable: false },
      ariaLabel: linkWords(link, names, now),
      className: `vm-link${color}${link.oneSided ? " vm-link-half" : ""}${isFull(top.get(link.id) ?? link) ? " vm-link-full" : ""}${at}`,
      label: top.get(link.id)?.label ?? "",
      zIndex: LINKS,
    };
  });
}
