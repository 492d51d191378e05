/** The worker gets the map as numbers. */
import type { MapLink } from "@/api/topology";
import { lookOf, MAP_STATE } from "@/ui/states";
import { carries, colorOf, isFull } from "./nodeText";
import type { Scene } from "./scene";
import { matches, type Filter } from "./shape";

type Shape = "leaf" | "round" | "dashed" | "closed" | "open";
export interface SheetBox {
  x: number;
  y: number;
  width: number;
  height: number;
  color: string;
  shape: Shape;
  dim: boolean;
}
/** Lines with the same look; `ends` has the indexes of their two boxes. */
export interface SheetLines {
  color: string;
  /** Pattern in pixels; an empty one is a solid line. */
  dash: readonly number[];
  /** Drawn over the others. */
  strong: boolean;
  ends: Uint32Array;
}
export interface Sheet {
  boxes: readonly SheetBox[];
  lines: readonly SheetLines[];
}

const shapeOf = ({ kind, group }: { kind: string; group: { open: boolean } | null }): Shape => {
  if (group) return group.open ? "open" : "closed";
  return kind === "NETWORK" ? "round" : kind === "NEIGHBOUR" ? "dashed" : "leaf";
};

/** Colours are names of `Look.color`, or "line" for links that only say what belongs together. */
const lookOfLink = (link: MapLink): Omit<SheetLines, "ends"> => {
  if (!carries(link)) return { color: "line", dash: [], strong: false };
  const { color } = lookOf(MAP_STATE, link.state);
  if (link.state === "DOWN" || link.state === "DEGRADED") return { color, dash: [9, 5], strong: true };
  return { color, dash: link.state === "UNKNOWN" ? [2, 5] : [], strong: isFull(link) };
};

export function sheetOf(scene: Scene, links: readonly MapLink[], filter: Filter): Sheet {
  const numbers = new Map([...scene.keys()].map((id, index) => [id, index]));
  const boxes = [...scene.values()].map(({ node, area: { x, y, width, height } }): SheetBox => ({
    ...{ x, y, width, height },
    color: colorOf(node),
    shape: shapeOf(node),
    dim: !matches(node, filter),
  }));
  const drawn = links.filter(({ source, target }) => numbers.has(source) && numbers.has(target));
  const lines = [...Map.groupBy(drawn, (link) => `${carries(link)} ${link.state} ${isFull(link)}`).values()]
    .flatMap((alike): SheetLines[] => {
      const [first] = alike;
      if (!first) return [];
      const ends = alike.flatMap(({ source, target }) => [numbers.get(source) ?? 0, numbers.get(target) ?? 0]);
      return [{ ...lookOfLink(first), ends: Uint32Array.from(ends) }];
    })
    .sort((a, b) => Number(a.strong) - Number(b.strong));
  return { boxes, lines };
}
