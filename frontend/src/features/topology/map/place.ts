/** Groups are frames around their members, which stand in ranks along links, or in rows if there are none. */
import dagre from "@dagrejs/dagre";
import type { Positions } from "@/api/topology";

export interface Item {
  id: string;
  parentId: string | null;
  /** The members of an open group are drawn inside it. */
  open: boolean;
  /** A closed group is drawn larger than other nodes. */
  group: boolean;
  /** Members of one kind stand together. */
  kind: string;
}
export interface Task {
  items: readonly Item[];
  links: readonly { source: string; target: string }[];
  /** Positions set by users, relative to the corner of the group. */
  chosen: Positions;
}
export interface Spot {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const LEAF = { width: 216, height: 60 };
export const CLOSED = { width: 264, height: 106 };
const PADDING = 18;
const HEADER = 48;
const GAP = 26;
const RANK_GAP = 96;
/** Ratio of width to height of a packed group. */
const ASPECT = 1.9;
/** A larger group is packed in rows, because ranks of hundreds are unreadable. */
const RANKED = 60;

/** A longer chain that is this much longer than high is packed in rows as well. */
const FEW = 4;
const LONGEST = 4;

interface Box {
  id: string;
  width: number;
  height: number;
}
type Places = Map<string, { x: number; y: number }>;

export function place({ items, links, chosen }: Task): Record<string, Spot> {
  const known = new Map(items.map((item) => [item.id, item]));
  const members = Map.groupBy(items, (item) =>
    item.parentId !== null && known.has(item.parentId) ? item.parentId : "",
  );
  const above = (id: string): string[] => {
    const parent = known.get(id)?.parentId;
    return parent !== null && parent !== undefined && known.has(parent) ? [...above(parent), parent] : [""];
  };
  const inside = linksInside(links, above);
  const spots: Record<string, Spot> = {};

  function size(item: Item): Box {
    if (!item.open) return { id: item.id, ...(item.group ? CLOSED : LEAF) };
    const extent = fill(item.id);
    return { id: item.id, width: Math.max(extent.width, CLOSED.width), height: extent.height };
  }
  function fill(group: string): { width: number; height: number } {
    const boxes = ordered(members.get(group) ?? []).map(size);
    const at = arranged(boxes, inside.get(group) ?? []);
    const [left, top] = group === "" ? [0, 0] : [PADDING, HEADER];
    let [right, bottom] = [left, top];
    for (const box of boxes) {
      const free = at.get(box.id) ?? { x: 0, y: 0 };
      const spot = { x: left + free.x, y: top + free.y, ...chosen[box.id] };
      spots[box.id] = { ...spot, width: box.width, height: box.height };
      right = Math.max(right, spot.x + box.width);
      bottom = Math.max(bottom, spot.y + box.height);
    }
    return { width: right + PADDING, height: bottom + PADDING };
  }
  fill("");
  return spots;
}

const ordered = (items: readonly Item[]): Item[] => {
  const kinds = [...new Set(items.map((item) => item.kind))];
  return [...items].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
};

/** Keys: group; values: links between its members, from the links of everything inside them. */
function linksInside(links: Task["links"], above: (id: string) => string[]): Map<string, [string, string][]> {
  const found = new Map<string, [string, string][]>();
  for (const { source, target } of links) {
    const [one, other] = [
      [...above(source), source],
      [...above(target), target],
    ];
    const depth = one.findIndex((id, index) => other[index] !== id);
    const [group, a, b] = [one[depth - 1], one[depth], other[depth]];
    if (depth < 1 || group === undefined || a === undefined || b === undefined) continue;
    const pairs = found.get(group) ?? [];
    pairs.push([a, b]);
    found.set(group, pairs);
  }
  return found;
}

function arranged(boxes: readonly Box[], links: readonly [string, string][]): Places {
  const ends = new Set(links.flat());
  const linked = boxes.filter(({ id }) => ends.has(id));
  if (linked.length === 0 || boxes.length > RANKED) return rows(boxes);
  const places = ranks(linked, links);
  const bottom = Math.max(...linked.map((box) => (places.get(box.id)?.y ?? 0) + box.height));
  const right = Math.max(...linked.map((box) => (places.get(box.id)?.x ?? 0) + box.width));
  if (linked.length > FEW && right > bottom * LONGEST) return rows(boxes);
  const alone = boxes.filter(({ id }) => !ends.has(id));
  const rest = rows(alone, { top: bottom + GAP, atLeast: right });
  return new Map([...places, ...rest]);
}

/** Fills rows from left to right up to a shape that fits a screen. */
function rows(boxes: readonly Box[], { top = 0, atLeast = 0 } = {}): Places {
  const area = boxes.reduce((sum, box) => sum + (box.width + GAP) * (box.height + GAP), 0);
  const width = Math.max(atLeast, Math.sqrt(area * ASPECT), ...boxes.map((box) => box.width));
  const places: Places = new Map();
  let [x, y, tallest] = [0, top, 0];
  for (const box of boxes) {
    if (x > 0 && x + box.width / 2 > width) [x, y, tallest] = [0, y + tallest + GAP, 0];
    places.set(box.id, { x, y });
    x += box.width + GAP;
    tallest = Math.max(tallest, box.height);
  }
  return places;
}

/** A rank that would be too tall is wrapped into columns. */
function ranks(boxes: readonly Box[], links: readonly [string, string][]): Places {
  const graph = new dagre.graphlib.Graph().setGraph({ rankdir: "LR", nodesep: GAP, ranksep: RANK_GAP });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const box of boxes) graph.setNode(box.id, { width: box.width, height: box.height });
  for (const [one, other] of links) if (graph.hasNode(one) && graph.hasNode(other)) graph.setEdge(one, other);
  dagre.layout(graph);
  const at = (id: string) => graph.node(id) as { x: number; y: number };
  const area = boxes.reduce((sum, box) => sum + box.width * box.height, 0);
  const tallest = Math.max(Math.sqrt(area / ASPECT) * 1.6, ...boxes.map((box) => box.height));
  const columns = [...Map.groupBy(boxes, ({ id }) => Math.round(at(id).x)).entries()]
    .sort(([a], [b]) => a - b)
    .map(([, rank]) =>
      wrapped(
        [...rank].sort((a, b) => at(a.id).y - at(b.id).y),
        tallest,
      ),
    );
  return columnsPlaced(columns);
}

function wrapped(rank: readonly Box[], tallest: number): Box[][] {
  const columns: Box[][] = [[]];
  let height = 0;
  for (const box of rank) {
    if (height > 0 && height + box.height > tallest) {
      columns.push([]);
      height = 0;
    }
    columns.at(-1)?.push(box);
    height += box.height + GAP;
  }
  return columns;
}

const heightOf = (column: readonly Box[]): number => column.reduce((sum, box) => sum + box.height + GAP, -GAP);

function columnsPlaced(ranks: readonly Box[][][]): Places {
  const full = Math.max(...ranks.flat().map(heightOf));
  const places: Places = new Map();
  let x = 0;
  for (const [number, rank] of ranks.entries()) {
    // Every other rank stands lower, so that a straight link past it is visible between its boxes.
    const lower = number % 2 === 0 ? 0 : (LEAF.height + GAP) / 2;
    for (const column of rank) {
      let y = (full - heightOf(column)) / 2 + lower;
      for (const box of column) {
        places.set(box.id, { x, y });
        y += box.height + GAP;
      }
      x += Math.max(...column.map((box) => box.width)) + GAP;
    }
    x += RANK_GAP - GAP;
  }
  return places;
}
