import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { components, operations } from "./__generated__/schema";
import { apiFetch } from "./http";
import type { Alarm } from "./types";

type S = components["schemas"];

export type TopologyMap = S["Topology"];
export type MapNode = S["TopologyNode"];
export type MapLink = S["TopologyLink"];
export type MapGroup = NonNullable<MapNode["group"]>;
export type NodeKind = MapNode["kind"];
export type LinkKind = MapLink["kind"];
export type MapState = MapNode["state"];
export type MapScope = NonNullable<NonNullable<operations["topology_view"]["parameters"]["query"]>["scope"]>;
export interface Point {
  x: number;
  y: number;
}
export type Positions = Record<string, Point>;

/** Kinds and groups are sorted, so that equal selections have equal keys. */
export interface MapQuery {
  scope: MapScope;
  site: string;
  instance: string;
  kinds: readonly NodeKind[];
  expand: readonly string[];
}

const MAP = "/api/v1/topology";
const POSITIONS = `${MAP}/positions`;

function address(path: string, query: Record<string, string>): URL {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value);
  return url;
}

async function answer<R>(url: URL, init: RequestInit = {}): Promise<R> {
  return (await (await apiFetch(new Request(url, init))).json()) as R;
}

/** Parsing 80,000 links takes a second, so a map with the same entity tag is not parsed again. */
let last: { href: string; tag: string; map: TopologyMap } | undefined;

/** The browser stores the last answer with its entity tag; without changes the server sends only a 304. */
async function topologyView({ scope, site, instance, kinds, expand }: MapQuery): Promise<TopologyMap> {
  const url = address(MAP, { scope, site, instance, kinds: kinds.join(","), expand: expand.join(",") });
  const response = await apiFetch(new Request(url));
  const tag = response.headers.get("ETag");
  if (tag !== null && last?.tag === tag && last.href === url.href) {
    await response.body?.cancel();
    return last.map;
  }
  const map = (await response.json()) as TopologyMap;
  last = tag === null ? undefined : { href: url.href, tag, map };
  return map;
}

const positionsView = async (scope: MapScope): Promise<Positions> =>
  (await answer<{ positions: Positions }>(address(POSITIONS, { scope }))).positions;

export const positionsSave = async (scope: MapScope, positions: Record<string, Point | null>): Promise<Positions> => {
  const headers = { "Content-Type": "application/merge-patch+json" };
  const init = { method: "PATCH", body: JSON.stringify({ positions }), headers };
  return (await answer<{ positions: Positions }>(address(POSITIONS, { scope }), init)).positions;
};

export const positionsForget = async (scope: MapScope): Promise<void> => {
  await apiFetch(new Request(address(POSITIONS, { scope }), { method: "DELETE" }));
};

/** The worst alarm comes first. */
const alarmsOf = (managedObjectId: string): Promise<Alarm[]> =>
  answer(address("/api/v1/alarms", { filter: `(eq,managedObjectId,${managedObjectId})`, sort: "-perceivedSeverity" }));

export const mapKeys = {
  map: ["topology"],
  positions: (scope: MapScope) => ["topology_positions", scope],
};
/** Polls without changes publish no event, and states become UNKNOWN by time without one. */
const LOOK_MS = 30_000;

export const mapQueries = {
  map: (asked: MapQuery) =>
    queryOptions({
      queryKey: [...mapKeys.map, asked],
      queryFn: () => topologyView(asked),
      placeholderData: keepPreviousData,
      refetchInterval: LOOK_MS,
    }),
  positions: (scope: MapScope) =>
    queryOptions({ queryKey: mapKeys.positions(scope), queryFn: () => positionsView(scope), staleTime: Infinity }),
  alarmsOf: (managedObjectId: string) =>
    queryOptions({
      queryKey: ["alarms", "at", managedObjectId],
      queryFn: () => alarmsOf(managedObjectId),
      enabled: managedObjectId !== "",
    }),
};
