import { expect, it } from "vitest";
import type { MapLink, MapNode } from "@/api/topology";
import { sceneOf } from "./scene";
import { linkWords } from "./nodeText";
import { flowEdges, flowNodes, keepPlaces, matches, reuseUnchanged, shortName } from "./shape";

const node = (patch: Partial<MapNode>): MapNode => ({
  ...{ id: "n", kind: "SITE", name: "n", detail: "", parentId: null, objectId: null, state: "UP", since: null },
  ...{ reason: "", message: "", alarms: 0, severity: null, group: null },
  ...patch,
});

it("finds a node in a collapsed group", () => {
  const group = { open: false, members: { VM: 2 }, states: { UP: 1, DOWN: 1 }, links: {} };
  const filter = { severity: "", state: "DOWN" } as const;
  expect([matches(node({ group }), filter), matches(node({}), filter)]).toEqual([true, false]);
  const severe = (severity: MapNode["severity"]) => matches(node({ severity }), { severity: "MAJOR", state: "" });
  expect([severe("CRITICAL"), severe("MAJOR"), severe("MINOR"), severe(null)]).toEqual([true, true, false, false]);
});

it("renders only boxes that have changed", () => {
  const spot = { x: 0, y: 0, width: 100, height: 40 };
  const [a, b] = [node({ id: "a" }), node({ id: "b" })];
  const shown = { selected: "", now: Date.parse("2026-11-21T12:00:00Z"), onToggle: () => undefined };
  const drawing = (nodes: MapNode[], later = 0) => {
    const scene = sceneOf(nodes, { a: spot, b: spot });
    return flowNodes(scene, { severity: "", state: "" }, { ...shown, now: shown.now + later });
  };
  const before = drawing([a, b]);
  const after = reuseUnchanged(before, drawing([a, { ...b, state: "DOWN" }], 30_000));
  expect(after[0]).toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
  expect(after[1]?.data["node"]).toMatchObject({ state: "DOWN" });
});

it("leaves a moved box where it is until the layout has it", () => {
  const spot = { x: 0, y: 0, width: 100, height: 40 };
  const shown = { selected: "", now: 0, onToggle: () => undefined };
  const next = flowNodes(sceneOf([node({ id: "a" })], { a: spot }), { severity: "", state: "" }, shown);
  const moved = next.map((each) => ({ ...each, position: { x: 70, y: 7 } }));
  expect(keepPlaces(moved, next)[0]?.position).toEqual({ x: 70, y: 7 });
  expect(keepPlaces([], next)).toEqual(next);
});

it("writes what links between two boxes have to say, with the load of the busiest, once, and draws a full one thick", () => {
  const link = (patch: Partial<MapLink>): MapLink => ({
    ...{ id: "l", kind: "LLDP", source: "a", target: "b", sourcePort: "", targetPort: "", state: "UP", since: null },
    ...{ reason: "", message: "", oneSided: false, detail: "", count: 1, states: {}, utilisation: null },
    ...patch,
  });
  const [quiet, full] = [
    link({ id: "1", utilisation: 3 }),
    link({ id: "2", source: "b", target: "a", utilisation: 87 }),
  ];
  const unknown = link({ id: "3", target: "c" });
  const edges = flowEdges([quiet, full, unknown], new Map(), { selected: "", now: 0 });
  expect(edges.map(({ label }) => label)).toEqual(["", "87 %", ""]);
  expect(edges.map(({ className }) => className?.includes("vm-link-full"))).toEqual([false, true, false]);
  const others = flowEdges([full, quiet, link({ id: "4", kind: "BGP", count: 3 })], new Map(), {
    selected: "",
    now: 0,
  });
  expect(others.map(({ label }) => label)).toEqual(["", "", "3× · 87 %"]);
  expect(others.map(({ className }) => className?.includes("vm-link-full"))).toEqual([true, false, true]);
  expect([full, unknown, link({ kind: "BGP" })].map((each) => linkWords(each, new Map(), 0))).toEqual([
    "Physical link (LLDP): b – a, up, load 87 %",
    "Physical link (LLDP): a – c, up, load unknown",
    "BGP session: a – b, up",
  ]);
});

it("calls a part of a VNF instance by the rest of its name, where there is one", () => {
  const parent = { kind: "INSTANCE", name: "vmg-saegw-1" } as const;
  expect(
    ["vmg-saegw-1-mg-4", "vmg-saegw-1 iom_2", "vmg-saegw-1", "other"].map((name) => shortName(name, parent)),
  ).toEqual(["mg-4", "iom_2", "vmg-saegw-1", "other"]);
  expect(shortName("vmg-saegw-1-mg-4", { kind: "CLOUD", name: "vmg-saegw-1" })).toBe("vmg-saegw-1-mg-4");
});
