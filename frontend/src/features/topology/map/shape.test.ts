import { expect, it } from "vitest";
import type { MapLink, MapNode, TopologyMap } from "@/api/topology";
import { drawnLinks, flowNodes, isFailing, LINKS_DRAWN, matches, reuseUnchanged } from "./shape";

const link = (n: number, patch: Partial<MapLink> = {}): MapLink => ({
  ...{ id: `l${n}`, kind: "LLDP", source: `a${n}`, target: `b${n}`, sourcePort: "", targetPort: "", state: "UP" },
  ...{ since: null, reason: "", message: "", oneSided: false, detail: "", count: 1, states: {} },
  ...patch,
});
const links = (n: number, patch: Partial<MapLink> = {}) => Array.from({ length: n }, (_, index) => link(index, patch));
const node = (patch: Partial<MapNode>): MapNode => ({
  ...{ id: "n", kind: "SITE", name: "n", detail: "", parentId: null, objectId: null, state: "UP", since: null },
  ...{ reason: "", message: "", alarms: 0, severity: null, group: null },
  ...patch,
});

it("draws all links while there are few", () => {
  expect(drawnLinks(links(LINKS_DRAWN), "")).toHaveLength(LINKS_DRAWN);
});

it("draws only the selected node's links and unhealthy ones when there are too many", () => {
  const sick = link(9001, { state: "DOWN" });
  const port = link(9002, { kind: "ATTACHMENT", source: "vm" });
  const many = [...links(1000), ...links(1000, { kind: "ATTACHMENT" }), sick, port];
  const drawn = drawnLinks(many, "vm");
  expect(drawn).toHaveLength(LINKS_DRAWN);
  expect(drawn.slice(0, 2)).toEqual([port, sick]);
  expect(drawnLinks(many, "")).not.toContain(port);
});

it("reports unhealthy nodes that could not be drawn", () => {
  const many = [...links(100), ...links(LINKS_DRAWN + 30, { state: "DOWN" })];
  const drawn = drawnLinks(many, "");
  expect(many.filter(isFailing).length - drawn.filter(isFailing).length).toBe(30);
  expect(isFailing(link(1, { kind: "PLACEMENT", state: "DOWN" }))).toBe(false);
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
    const map: TopologyMap = { nodes, links: [], totals: {}, notes: [] };
    return flowNodes(map, { a: spot, b: spot }, { severity: "", state: "" }, { ...shown, now: shown.now + later });
  };
  const before = drawing([a, b]);
  const after = reuseUnchanged(before, drawing([a, { ...b, state: "DOWN" }], 30_000));
  expect(after[0]).toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
  expect(after[1]?.data.node.state).toBe("DOWN");
});
