/** Positions of all nodes in the map's coordinates, and queries by point or area. */
import type { Viewport } from "@xyflow/react";
import type { MapLink, MapNode, Point } from "@/api/topology";
import type { Spot } from "./place";

export type Area = Spot;

/** `spot` is relative to the group. */
interface Placed {
  node: MapNode;
  spot: Spot;
  area: Area;
  /** The surrounding group. */
  parentId: string | undefined;
}
/** Keys: id; groups come before their members. */
export type Scene = ReadonlyMap<string, Placed>;

/** A node without a spot is newer than the layout; the next layout contains it. */
export function sceneOf(nodes: readonly MapNode[], spots: Readonly<Record<string, Spot>>): Scene {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const scene = new Map<string, Placed>();
  function put(node: MapNode): Placed | undefined {
    const spot = spots[node.id];
    const before = scene.get(node.id);
    if (before || !spot) return before;
    const parent = known.get(node.parentId ?? "");
    const around = parent && put(parent);
    const area = { ...spot, x: spot.x + (around?.area.x ?? 0), y: spot.y + (around?.area.y ?? 0) };
    const placed = { node, spot, area, parentId: around?.node.id };
    scene.set(node.id, placed);
    return placed;
  }
  nodes.forEach(put);
  return scene;
}

export function extentOf(scene: Scene): Area {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { area } of scene.values()) {
    left = Math.min(left, area.x);
    top = Math.min(top, area.y);
    right = Math.max(right, area.x + area.width);
    bottom = Math.max(bottom, area.y + area.height);
  }
  return scene.size === 0
    ? { x: 0, y: 0, width: 0, height: 0 }
    : { x: left, y: top, width: right - left, height: bottom - top };
}

/** Indexes of some nodes and of everything inside them. */
export function partsOf(scene: Scene, ids: readonly string[]): number[] {
  if (ids.length === 0) return [];
  const found = new Set(ids);
  // Groups come before their members.
  return [...scene].flatMap(([id, { parentId }], number) => {
    if (found.has(parentId ?? "")) found.add(id);
    return found.has(id) ? [number] : [];
  });
}

/** Returns the innermost node. Searching ten thousand takes a tenth of a millisecond, so there is no index. */
export function nodeAt(scene: Scene, { x, y }: Point): string | undefined {
  let found: string | undefined;
  for (const [id, { area }] of scene)
    if (x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height) found = id;
  return found;
}

/** The margin is a part of the window's size on each side; the size is in pixels. */
export function areaInView({ x, y, zoom }: Viewport, size: { width: number; height: number }, margin: number): Area {
  const [width, height] = [size.width / zoom, size.height / zoom];
  return {
    x: -x / zoom - width * margin,
    y: -y / zoom - height * margin,
    width: width * (1 + 2 * margin),
    height: height * (1 + 2 * margin),
  };
}

const touch = (a: Area, b: Area): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

export const holds = (outer: Area, inner: Area): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

const sizeOf = ({ area }: Placed): number => area.width * area.height;

/**
 * Returns boxes of at least this width with the groups around them, groups first. If there are too many, only the
 * larger ones are returned, so that of two boxes of one size either both or none have a name.
 */
export function boxesIn(scene: Scene, seen: Area, { narrowest, most }: { narrowest: number; most: number }): Scene {
  const large = [...scene.values()]
    .filter(({ area }) => area.width >= narrowest && touch(area, seen))
    .sort((a, b) => sizeOf(b) - sizeOf(a));
  const first = large[most];
  const kept = new Map<string, Placed>();
  function keep(placed: Placed | undefined) {
    if (!placed || kept.has(placed.node.id)) return;
    keep(scene.get(placed.parentId ?? ""));
    kept.set(placed.node.id, placed);
  }
  large.filter((each) => !first || sizeOf(each) > sizeOf(first)).forEach(keep);
  return kept;
}

/** The line connects the middles of two boxes, as `paint` draws it. */
export interface LinkLine {
  link: MapLink;
  from: Point;
  to: Point;
}
const middleOf = ({ x, y, width, height }: Area): Point => ({ x: x + width / 2, y: y + height / 2 });

/** A line may pass the area without touching it. */
export function linesIn(scene: Scene, links: readonly MapLink[], seen: Area): LinkLine[] {
  return links.flatMap((link) => {
    const [source, target] = [scene.get(link.source), scene.get(link.target)];
    if (!source || !target) return [];
    const [from, to] = [middleOf(source.area), middleOf(target.area)];
    const around = {
      ...{ x: Math.min(from.x, to.x), y: Math.min(from.y, to.y) },
      ...{ width: Math.abs(from.x - to.x), height: Math.abs(from.y - to.y) },
    };
    return touch(around, seen) ? [{ link, from, to }] : [];
  });
}

function distance({ from, to }: LinkLine, { x, y }: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const along = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1);
  const part = Math.min(1, Math.max(0, along));
  return Math.hypot(from.x + part * dx - x, from.y + part * dy - y);
}

export function lineAt(lines: readonly LinkLine[], point: Point, within: number): LinkLine | undefined {
  let [found, least]: [LinkLine | undefined, number] = [undefined, within];
  for (const line of lines) {
    const far = distance(line, point);
    if (far < least) [found, least] = [line, far];
  }
  return found;
}
