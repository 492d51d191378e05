/** What of the map is drawn, and how: pure functions from the server's answer to nodes and edges of the drawing. */
import type { Edge } from "@xyflow/react";
import type { MapLink, MapNode, MapState, TopologyMap } from "@/api/topology";
import type { Severity } from "@/api/types";
import { lookOf, MAP_STATE, SEVERITIES } from "@/ui/states";
import type { Data, FlowNode } from "./nodes";
import type { Item, Spot } from "./place";
import { carries, linkWords, nodeWords } from "./nodeText";

/** Frames below links, links below boxes: a frame in a frame is one higher than that. */
const LINKS = 10;
const ABOVE_LINKS = 20;

export interface Filter {
  severity: Severity | "";
  state: MapState | "";
}

/** Whether a node, or something in a group, is what is looked for. */
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

/** More links are indistinguishable and slow. */
export const LINKS_DRAWN = 400;

/** A link that carries something, and is not up. */
export const isFailing = (link: MapLink): boolean => link.state !== "UP" && carries(link);

/** Of too many links: those of the selected node, those that are not well, then those between routers. */
export function drawnLinks(links: readonly MapLink[], selected: string): MapLink[] {
  if (links.length <= LINKS_DRAWN) return [...links];
  const rank = (link: MapLink): number => {
    if (link.source === selected || link.target === selected) return 0;
    if (isFailing(link)) return 1;
    return carries(link) && link.kind !== "ATTACHMENT" ? 2 : 3;
  };
  const ranked = links.filter((link) => rank(link) < 3).sort((a, b) => rank(a) - rank(b));
  return ranked.slice(0, LINKS_DRAWN);
}

/** Groups before what stands in them, as the drawing wants it. */
function parentsFirst(nodes: readonly MapNode[]): MapNode[] {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const depth = (node: MapNode): number => {
    const parent = node.parentId === null ? undefined : known.get(node.parentId);
    return parent ? depth(parent) + 1 : 0;
  };
  return [...nodes].sort((a, b) => depth(a) - depth(b));
}

export function flowNodes(
  map: TopologyMap,
  spots: Readonly<Record<string, Spot>>,
  filter: Filter,
  shown: { selected: string; now: number; onToggle: Data["onToggle"] },
): FlowNode[] {
  return parentsFirst(map.nodes).flatMap((node): FlowNode[] => {
    const spot = spots[node.id];
    if (!spot) return []; // it came after the layout was reckoned; the next one has it
    const parent = node.parentId !== null && spots[node.parentId] ? { parentId: node.parentId } : {};
    return [
      {
        id: node.id,
        type: !node.group ? "leaf" : node.group.open ? "open" : "closed",
        position: { x: spot.x, y: spot.y },
        ...{ width: spot.width, height: spot.height, ...parent },
        data: { node, dim: !matches(node, filter), onToggle: shown.onToggle },
        selected: node.id === shown.selected,
        ariaLabel: nodeWords(node, shown.now),
        zIndex: node.group?.open ? 0 : ABOVE_LINKS,
      },
    ];
  });
}

const isSame = (a: FlowNode, b: FlowNode): boolean =>
  a.data.node === b.data.node &&
  a.data.dim === b.data.dim &&
  a.data.onToggle === b.data.onToggle &&
  a.ariaLabel === b.ariaLabel &&
  a.selected === b.selected &&
  a.type === b.type &&
  a.parentId === b.parentId &&
  a.position.x === b.position.x &&
  a.position.y === b.position.y &&
  a.width === b.width &&
  a.height === b.height &&
  a.zIndex === b.zIndex;

/** The next nodes, with the previous objects where they are equal, so that React Flow renders only the others. */
export function reuseUnchanged(before: readonly FlowNode[], next: readonly FlowNode[]): FlowNode[] {
  const known = new Map(before.map((each) => [each.id, each]));
  return next.map((each) => {
    const old = known.get(each.id);
    return old && isSame(old, each) ? old : each;
  });
}

export function flowEdges(
  links: readonly MapLink[],
  names: ReadonlyMap<string, string>,
  { selected, now }: { selected: string; now: number },
): Edge[] {
  return links.map((link): Edge => {
    const look = lookOf(MAP_STATE, link.state);
    const at = link.source === selected || link.target === selected ? " vm-link-at" : "";
    const color = carries(link) ? ` vm-edge-${look.color} vm-link-${link.state.toLowerCase()}` : " vm-link-relation";
    return {
      ...{ id: link.id, source: link.source, target: link.target, focusable: false, selectable: false },
      ariaLabel: linkWords(link, names, now),
      className: `vm-link${color}${link.oneSided ? " vm-link-half" : ""}${at}`,
      ...(link.count > 1 || (isFailing(link) && link.kind !== "ATTACHMENT")
        ? { label: [link.count > 1 ? `${link.count}×` : "", link.state === "UP" ? "" : look.text].join(" ").trim() }
        : {}),
      zIndex: LINKS,
    };
  });
}
