/** Where all of the map stands, in its own coordinates, and what of it is at a point or in sight. */
import type { Viewport } from "@xyflow/react";
import type { MapLink, MapNode, Point } from "@/api/topology";
import type { Spot } from "./place";

export type Area = Spot;

/** A node with its place on the map; `spot` is that in its group. */
interface Placed {
  node: MapNode;
  spot: Spot;
  area: Area;
  /** The group that it is drawn in. */
  parentId: string | undefined;
}
/** By id, groups before what stands in them. */
export type Scene = ReadonlyMap<string, Placed>;

/** What has no spot came after the layout was computed; the next one has it. */
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

/** The numbers, by their order, of some nodes and of all that stands in them. */
export function partsOf(scene: Scene, ids: readonly string[]): number[] {
  if (ids.length === 0) return [];
  const found = new Set(ids);
  // Groups come before what stands in them.
  return [...scene].flatMap(([id, { parentId }], number) => {
    if (found.has(parentId ?? "")) found.add(id);
    return found.has(id) ? [number] : [];
  });
}

/** The innermost node at a point. (To look at ten thousand takes a tenth of a millisecond: there is no index.) */
export function nodeAt(scene: Scene, { x, y }: Point): string | undefined {
  let found: string | undefined;
  for (const [id, { area }] of scene)
    if (x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height) found = id;
  return found;
}

/** What of the map a window of that many pixels shows, and a margin: that part of its size on each side. */
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
 * The boxes of an area that are at least so wide, with the groups that they stand in, which come first. Of too many only
 * those that are larger than others, so that no box has a name beside one of its size that has none.
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

/** A link and its line, between the middles of its boxes, as `paint` draws it. */
export interface LinkLine {
  link: MapLink;
  from: Point;
  to: Point;
}
const middleOf = ({ x, y, width, height }: Area): Point => ({ x: x + width / 2, y: y + height / 2 });

/** The links whose lines may cross an area. */
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

/** The line that is nearest to a point, of those within a distance. */
export function lineAt(lines: readonly LinkLine[], point: Point, within: number): LinkLine | undefined {
  let [found, least]: [LinkLine | undefined, number] = [undefined, within];
  for (const line of lines) {
    const far = distance(line, point);
    if (far < least) [found, least] = [line, far];
  }
  return found;
}
