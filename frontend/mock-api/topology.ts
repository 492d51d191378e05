import type { MapLink, MapNode, MapState, Positions, TopologyMap } from "../src/api/topology";
import { HUGE_ELEMENTS } from "./datasets";
import { type Db } from "./db";
import { ago } from "./util";
import { json, none, problem, type Context } from "./http";
import type { Route } from "./routes";

const positions = new WeakMap<Db, Positions>();

const node = (patch: Pick<MapNode, "id" | "kind" | "name"> & Partial<MapNode>): MapNode => ({
  ...{ detail: "", parentId: null, objectId: null, state: "UP", since: ago(86_000), reason: "Answers", message: "" },
  ...{ alarms: 0, severity: null, group: null },
  ...patch,
});
const link = (patch: Pick<MapLink, "kind" | "source" | "target"> & Partial<MapLink>): MapLink => ({
  ...{ id: `${patch.kind}:${patch.source}:${patch.target}`, sourcePort: "", targetPort: "", state: "UP" },
  ...{ since: ago(80_000), reason: "FULL", message: "", oneSided: false, detail: "", count: 1, utilisation: null },
  states: { [patch.state ?? "UP"]: 1 },
  ...patch,
});

const SERVER: Record<string, MapState> = { ACTIVE: "UP", UNKNOWN: "UNKNOWN", REBOOT: "CHANGING", BUILD: "CHANGING" };

/** Above this number of elements the server groups them and sends only a part of the map. */
const FEW = 100;
const INSTANCES_DRAWN = 150;
const ELEMENTS_DRAWN = 500;
/** Element n stands at site n modulo 100, so these distances give each router links to its own and to other sites. */
const HUGE_STEPS = [100, 200, 300, 500, 1000, 1, 3, 107];
const KINDS = ["LLDP", "OSPF", "BGP"] as const;

/** A small network is drawn whole, so that each router has all its links. */
function busy(each: MapNode, index: number): MapNode {
  if (index % 90 !== 11) return each;
  return { ...each, alarms: 1 + (index % 4), severity: index % 180 === 11 ? "CRITICAL" : "MINOR" };
}
const hugeLinks = (index: number, idOf: (index: number) => string): MapLink[] =>
  HUGE_STEPS.map((step, place) =>
    link({
      ...{ kind: KINDS[place % 3] ?? "LLDP", source: idOf(index), target: idOf(index + step) },
      ...{ sourcePort: `1/1/${place + 1}`, targetPort: `1/2/${place + 1}` },
      state: (index * 8 + place) % 150 === 0 ? "DOWN" : "UP",
    }),
  );

const isHuge = ({ elements }: Db): boolean => elements.length >= HUGE_ELEMENTS;

function plant(db: Db): { nodes: MapNode[]; links: MapLink[] } {
  const { elements, sites } = db;
  const huge = isHuge(db);
  const drawn = huge ? elements : elements.slice(0, ELEMENTS_DRAWN);
  const reached = { True: "UP", False: "DOWN", Unknown: "UNKNOWN" } as const;
  const idOf = (index: number) => `element:${drawn[index % drawn.length]?.id ?? ""}`;
  return {
    nodes: [
      ...sites.map(({ id, name }) => node({ id: `site:${id}`, kind: "SITE", name, objectId: id })),
      ...drawn.map(({ id, name, siteId, chassisType, conditions: [seen] }, index) => {
        const shown = node({
          ...{ id: `element:${id}`, kind: "ELEMENT", name, objectId: id, detail: chassisType },
          parentId: siteId && `site:${siteId}`,
          state: reached[seen?.status ?? "Unknown"],
        });
        return huge ? busy(shown, index) : shown;
      }),
    ],
    links: drawn.flatMap((_each, index) =>
      huge
        ? hugeLinks(index, idOf)
        : [1, sites.length].map((step) => link({ kind: "LLDP", source: idOf(index), target: idOf(index + step) })),
    ),
  };
}

function elements(db: Db): { nodes: MapNode[]; links: MapLink[] } {
  if (db.elements.length > FEW) return plant(db);
  const pe = (name: string, site: string, patch: Partial<MapNode> = {}) =>
    node({
      ...{ id: `element:${name}`, kind: "ELEMENT", name, parentId: `site:${site}`, objectId: name },
      detail: "7750 SR-12 · 192.0.2.1",
      ...patch,
    });
  const [fra = "fra", muc = "muc"] = db.sites.map(({ id }) => id);
  const known = plant(db);
  return {
    nodes: [
      node({ id: `site:${fra}`, kind: "SITE", name: "Frankfurt", objectId: fra }),
      node({ id: `site:${muc}`, kind: "SITE", name: "Munich", objectId: muc, state: "DEGRADED" }),
      node({ id: "site:none", kind: "SITE", name: "No site" }),
      ...known.nodes
        .filter(({ kind }) => kind === "ELEMENT")
        .map((each) => ({ ...each, parentId: each.parentId ?? "site:none" })),
      pe("pe-fra-1", fra),
      pe("pe-fra-2", fra, { state: "CHANGING", reason: "Synchronising", message: "A full resync is running." }),
      pe("pe-muc-1", muc, {
        ...{ state: "DOWN", reason: "Timeout", message: "It does not answer." },
        since: ago(300),
      }),
    ],
    links: [
      link({
        ...{ kind: "LLDP", source: "element:pe-fra-1", target: "element:pe-fra-2" },
        sourcePort: "1/1/1",
        targetPort: "1/1/1",
        utilisation: 87,
      }),
      link({
        ...{ kind: "LLDP", source: "element:pe-fra-1", target: "element:pe-muc-1", sourcePort: "1/1/2", state: "DOWN" },
        ...{ reason: "NeighbourLost", message: "pe-fra-1 does not hear it any more.", oneSided: true, since: ago(290) },
      }),
      link({ kind: "BGP", source: "element:pe-fra-2", target: "element:pe-muc-1", state: "DOWN", since: ago(280) }),
    ],
  };
}

function clouds(db: Db): { nodes: MapNode[]; links: MapLink[] } {
  const nodes = db.vims.map((vim) => {
    const [seen] = vim.conditions;
    const state: MapState = seen?.status === "True" ? "UP" : seen?.status === "False" ? "DOWN" : "UNKNOWN";
    const fields = { state, reason: seen?.reason ?? "", message: seen?.message ?? "" };
    return node({ id: `cloud:${vim.id}`, kind: "CLOUD", name: vim.name, objectId: vim.id, ...fields });
  });
  const links: MapLink[] = [];
  const open = db.alarms.filter(({ alarmClearedTime, vnfcIds }) => !alarmClearedTime && vnfcIds.length > 0);
  const alarmsOf = Map.groupBy(open, ({ vnfcIds: [id] }) => id);
  const running = db.instances.filter(({ instantiated, vimId }) => instantiated && vimId);
  for (const each of running.slice(0, INSTANCES_DRAWN)) {
    const id = `instance:${each.id}`;
    nodes.push(
      node({ id, kind: "INSTANCE", name: each.name, parentId: `cloud:${each.vimId ?? ""}`, objectId: each.id }),
    );
    for (const net of each.networks)
      nodes.push(node({ id: `network:${id}:${net.id}`, kind: "NETWORK", name: net.name, parentId: id }));
    for (const vm of each.vnfcs) {
      const state = SERVER[vm.status] ?? "DOWN";
      const mine = alarmsOf.get(vm.id) ?? [];
      const [first] = mine;
      const severity = first ? (first.perceivedSeverity as MapNode["severity"]) : null;
      const fields = { alarms: mine.length, severity, since: vm.statusSince, reason: vm.status };
      nodes.push(
        node({ ...{ id: `vm:${vm.id}`, kind: "VM", name: vm.name, parentId: id, objectId: vm.id, state }, ...fields }),
      );
      for (const port of vm.ports) {
        const target = `network:${id}:${port.networkId}`;
        links.push(
          link({ id: `port:${port.id}`, kind: "ATTACHMENT", source: `vm:${vm.id}`, target, sourcePort: port.cpId }),
        );
      }
    }
  }
  return { nodes, links };
}

/** Keeps the chosen site or instance, what is linked with it, and the groups around both. */
function focused(nodes: MapNode[], links: MapLink[], centre: string): { nodes: MapNode[]; links: MapLink[] } {
  if (centre === "") return { nodes, links };
  const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
  const around = (id: string): string[] => {
    const parent = parents.get(id);
    return parent && parents.has(parent) ? [parent, ...around(parent)] : [];
  };
  const inside = new Set(nodes.map(({ id }) => id).filter((id) => id === centre || around(id).includes(centre)));
  const touched = links.filter(({ source, target }) => inside.has(source) || inside.has(target));
  const kept = new Set([...inside, ...touched.flatMap(({ source, target }) => [source, target])]);
  for (const id of [...kept]) for (const up of around(id)) kept.add(up);
  return { nodes: nodes.filter(({ id }) => kept.has(id)), links: touched };
}

/** The server draws a group that is not expanded as one node. */
function fold(nodes: MapNode[], links: MapLink[], expand: readonly string[]): Pick<TopologyMap, "nodes" | "links"> {
  const known = new Map(nodes.map((each) => [each.id, each]));
  const above = (id: string): string[] => {
    const parent = known.get(id)?.parentId;
    return parent ? [...above(parent), parent] : [];
  };
  const isOpen = (id: string) => expand.includes("all") || expand.includes(id);
  const standsFor = (id: string) => above(id).find((up) => !isOpen(up)) ?? id;
  const pairs = nodes.flatMap((each) => above(each.id).map((up) => ({ up, each })));
  const members = Map.groupBy(pairs, ({ up }) => up);
  const inGroup = (id: string): MapNode[] => members.get(id)?.map(({ each }) => each) ?? [];
  const groupOf = (id: string): MapNode["group"] => {
    const inside = inGroup(id);
    if (inside.length === 0) return null;
    const count = (of: (each: MapNode) => string) =>
      Object.fromEntries([...Map.groupBy(inside, of)].map(([key, rows]) => [key, rows.length]));
    return { open: isOpen(id), members: count(({ kind }) => kind), states: count(({ state }) => state), links: {} };
  };
  const summed = (each: MapNode): MapNode => {
    const within = inGroup(each.id);
    const severity = each.severity ?? within.find((other) => other.severity)?.severity ?? null;
    const alarms = within.reduce((sum, other) => sum + other.alarms, each.alarms);
    return { ...each, severity, alarms, group: groupOf(each.id) };
  };
  const moved = links
    .map((each) => ({ ...each, source: standsFor(each.source), target: standsFor(each.target) }))
    .filter(({ source, target }) => source !== target && known.has(source) && known.has(target));
  const bundles = [...Map.groupBy(moved, ({ kind, source, target }) => `${kind} ${source} ${target}`)];
  return {
    nodes: nodes.filter(({ id }) => standsFor(id) === id).map(summed),
    links: bundles.flatMap(([id, [first, ...more]]) => (first ? [{ ...first, id, count: more.length + 1 }] : [])),
  };
}

function view({ db, url }: Context): Response {
  if (url.searchParams.get("site") === "broken") {
    return problem(503, "Service unavailable", "The database does not answer.", { nextStep: "Try again." });
  }
  const list = (name: string) => (url.searchParams.get(name) ?? "").split(",").filter(Boolean);
  const scope = url.searchParams.get("scope") ?? "all";
  const parts = [
    ...(scope === "all" || scope === "elements" ? [elements(db)] : []),
    ...(scope === "elements" ? [] : [clouds(db)]),
  ];
  const empty = db.vims.length === 0;
  const kinds = list("kinds");
  const nodes = empty ? [] : parts.flatMap((part) => part.nodes);
  const [site, instance] = [url.searchParams.get("site"), url.searchParams.get("instance")];
  const near = focused(
    nodes,
    parts.flatMap((part) => part.links),
    site ? `site:${site}` : instance ? `instance:${instance}` : "",
  );
  const kept = near.nodes.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
  const lost = db.vims.filter(({ conditions }) => conditions.some(({ status }) => status !== "True"));
  const body: TopologyMap = {
    ...fold(kept, empty ? [] : near.links, list("expand")),
    totals: Object.fromEntries([...Map.groupBy(nodes, ({ kind }) => kind)].map(([kind, rows]) => [kind, rows.length])),
    notes: lost.map(({ name }) => `What ${name} runs cannot be seen now.`),
  };
  // The huge network never changes, so its answer has an ETag.
  return json(body, 200, { "Cache-Control": "private, no-cache", ...(isHuge(db) ? { ETag: '"huge"' } : {}) });
}

function save({ db, body }: Context): Response {
  const moved = (JSON.parse(typeof body === "string" ? body : JSON.stringify(body)) as { positions: Positions })
    .positions;
  positions.set(db, { ...positions.get(db), ...moved });
  return json({ positions: positions.get(db) });
}

export const topology: Route[] = [
  ["GET", /^\/api\/v1\/topology$/, view],
  ["GET", /^\/api\/v1\/topology\/positions$/, ({ db }) => json({ positions: positions.get(db) ?? {} })],
  ["PATCH", /^\/api\/v1\/topology\/positions$/, save],
  [
    "DELETE",
    /^\/api\/v1\/topology\/positions$/,
    ({ db }) => {
      positions.delete(db);
      return none();
    },
  ],
];
