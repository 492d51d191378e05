import { expect, it } from "vitest";
import type { MapLink, MapNode } from "@/api/topology";
import { clipped, paint, type Look } from "./paint";
import { areaInView, boxesIn, extentOf, lineAt, linesIn, nodeAt, partsOf, sceneOf } from "./scene";
import { sheetOf } from "./sheet";
import { zoomed } from "./usePan";

const node = (id: string, patch: Partial<MapNode> = {}): MapNode => ({
  ...{ id, kind: "ELEMENT", name: id, detail: "", parentId: null, objectId: null, state: "UP", since: null },
  ...{ reason: "", message: "", alarms: 0, severity: null, group: null },
  ...patch,
});
const link = (source: string, target: string, patch: Partial<MapLink> = {}): MapLink => ({
  ...{ id: `${source} ${target}`, kind: "LLDP", source, target, sourcePort: "", targetPort: "", state: "UP" },
  ...{ since: null, reason: "", message: "", oneSided: false, detail: "", count: 1, states: {}, utilisation: null },
  ...patch,
});
const group = { open: true, members: {}, states: {}, links: {} };
const NODES = [
  node("a", { parentId: "site" }),
  node("b", { parentId: "site", severity: "CRITICAL", alarms: 2 }),
  node("site", { kind: "SITE", group }),
  node("late"),
];
const SPOTS = {
  site: { x: 1000, y: 500, width: 600, height: 300 },
  a: { x: 18, y: 48, width: 216, height: 60 },
  b: { x: 260, y: 48, width: 216, height: 60 },
};
const scene = sceneOf(NODES, SPOTS);
const ANY = { severity: "", state: "" } as const;

it("knows where all stands, groups before their members", () => {
  expect([...scene.keys()]).toEqual(["site", "a", "b"]);
  expect(scene.get("b")?.area).toMatchObject({ x: 1260, y: 548 });
  expect(extentOf(scene)).toEqual(SPOTS.site);
  expect(extentOf(new Map())).toMatchObject({ width: 0, height: 0 });
});

it("finds the innermost node at a point", () => {
  const at = (x: number, y: number) => nodeAt(scene, { x, y });
  expect([at(1261, 549), at(1010, 510), at(0, 0)]).toEqual(["b", "site", undefined]);
});

it("gives boxes to what is in sight and large enough, with its groups, the largest first", () => {
  const size = { width: 400, height: 200 };
  const seen = areaInView({ x: -1000, y: -500, zoom: 1 }, size, 0);
  const ids = (limits: { narrowest: number; most: number }) => [...boxesIn(scene, seen, limits).keys()];
  expect(seen).toEqual({ x: 1000, y: 500, width: 400, height: 200 });
  expect(ids({ narrowest: 100, most: 9 })).toEqual(["site", "a", "b"]);
  expect(ids({ narrowest: 300, most: 9 })).toEqual(["site"]);
  expect(ids({ narrowest: 100, most: 2 })).toEqual(["site"]);
  const far = areaInView({ x: 0, y: 0, zoom: 1 }, size, 0);
  expect(boxesIn(scene, far, { narrowest: 0, most: 9 }).size).toBe(0);
});

it("draws every link, those that are down over the others", () => {
  const links = [link("a", "b", { state: "DOWN" }), link("a", "b"), link("b", "a"), link("a", "gone")];
  const sheet = sheetOf(scene, links, { ...ANY, severity: "MAJOR" });
  expect(sheet.lines.map(({ color, strong, ends }) => [color, strong, [...ends]])).toEqual([
    ["green", false, [1, 2, 2, 1]],
    ["red", true, [1, 2]],
  ]);
  expect(sheet.boxes.map(({ color, shape, dim }) => [color, shape, dim])).toEqual([
    ["green", "open", true],
    ["green", "leaf", true],
    ["red", "leaf", false],
  ]);
});

it("zooms around the hand", () => {
  expect(zoomed({ x: 0, y: 0, zoom: 1 }, { x: 100, y: 50 }, -1)).toEqual({ x: 50, y: 25, zoom: 0.5 });
  expect(zoomed({ x: 0, y: 0, zoom: 1 }, { x: 0, y: 0 }, 9).zoom).toBe(2);
});

it("cuts lines at the edge of the picture", () => {
  expect(clipped([-10, 5, 30, 5], 20, 10)).toEqual([0, 5, 20, 5]);
  expect(clipped([2, 3, 4, 5], 20, 10)).toEqual([2, 3, 4, 5]);
  expect(clipped([-10, -5, -1, 30], 20, 10)).toBeUndefined();
  expect(clipped([-1, 5, -1, 9], 20, 10)).toBeUndefined();
});

it("paints what is in the picture, and frames what is chosen", () => {
  const drawn: unknown[][] = [];
  const recorder =
    (name: string) =>
    (...values: unknown[]) =>
      void drawn.push([name, ...values]);
  const canvas = new Proxy({} as OffscreenCanvasRenderingContext2D, {
    get: (_canvas, name) => recorder(String(name)),
    set: () => true,
  });
  const look: Look = {
    ...{ view: { x: -1000, y: -500, zoom: 1 }, width: 400, height: 300, ratio: 1, selected: 2 },
    palette: {},
    hidden: new Set(),
  };
  const sheet = sheetOf(scene, [link("a", "b")], ANY);
  paint(canvas, sheet, look);
  const of = (name: string) => drawn.filter(([each]) => each === name).map(([, ...values]) => values);
  expect(of("roundRect").map(([x, y]) => [x, y])).toEqual([
    [0, 0],
    [18, 48],
    [260, 48],
  ]);
  expect(of("moveTo")).toEqual([[126, 78]]);
  expect(of("lineTo")).toEqual([[368, 78]]);
  expect(of("strokeRect")).toEqual([[257, 45, 222, 66]]);
  drawn.length = 0;
  paint(canvas, sheet, { ...look, hidden: new Set(partsOf(scene, ["b"])) });
  expect(of("roundRect")).toHaveLength(2);
  expect([of("moveTo"), of("strokeRect")]).toEqual([[], []]);
});

it("knows what moves with a group", () => {
  expect(partsOf(scene, ["site"])).toEqual([0, 1, 2]);
  expect(partsOf(scene, ["a", "gone"])).toEqual([1]);
  expect(partsOf(scene, [])).toEqual([]);
});

it("finds the nearest line at a point", () => {
  const lines = linesIn(scene, [link("a", "b"), link("a", "site"), link("a", "gone")], SPOTS.site);
  expect(lines.map(({ link: { id } }) => id)).toEqual(["a b", "a site"]);
  const at = (x: number, y: number) => lineAt(lines, { x, y }, 6)?.link.id;
  expect([at(1247, 580), at(1247, 600), at(1213, 614), at(1700, 578)]).toEqual(["a b", undefined, "a site", undefined]);
  expect(linesIn(scene, [link("a", "b")], { x: 0, y: 0, width: 10, height: 10 })).toEqual([]);
});
