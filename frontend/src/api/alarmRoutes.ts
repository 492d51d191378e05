import { queryOptions } from "@tanstack/react-query";
import type { components } from "./__generated__/schema";
import { all, api, data } from "./client";
import { changeHeaders } from "./http";
import type { ManagedObjectType } from "./types";

export type AlarmRoute = components["schemas"]["AlarmRouteOut"];
type RouteInput = components["schemas"]["AlarmRouteWriteRequest"];
type RouteChange = components["schemas"]["PatchedAlarmRouteUpdateRequest"];
export type Channel = AlarmRoute["channel"];
export type RouteDelivery = components["schemas"]["RouteDelivery"];

/** The form has one type, object and site where the API has lists, and a box for the limit of time. */
export type AlarmRouteRow = AlarmRoute & { object: string; type: string; site: string; limited: boolean };

export const routeKeys = {
  routes: ["alarm_routes"],
  deliveries: (id: string) => ["alarm_routes", id, "deliveries"],
};

/** The form does not show lists with several values; it keeps those that an API client set. */
export const hasSeveral = (values: readonly unknown[] | undefined): boolean => (values?.length ?? 0) > 1;

function rowOf(route: AlarmRoute): AlarmRouteRow {
  const { managedObjectTypes = [], managedObjectIds = [], siteIds = [], window } = route.criteria;
  const [type = "", id = ""] = [managedObjectTypes[0], managedObjectIds[0]];
  return { ...route, object: id && type ? `${type}/${id}` : "", type, site: siteIds[0] ?? "", limited: window != null };
}

const one = (text: unknown): string[] => (typeof text === "string" && text !== "" ? [text] : []);

/** `before` is the route that is changed. */
export function routeInput(input: Record<string, unknown>, before?: AlarmRouteRow): RouteInput {
  const { object, type, site, limited, criteria, ...rest } = input;
  const had = before?.criteria ?? {};
  const { window, ...plain } = criteria as NonNullable<RouteInput["criteria"]>;
  const [objectType = "", objectId = ""] = typeof object === "string" ? object.split("/") : [];
  const types = one(objectType || type) as ManagedObjectType[];
  return {
    ...rest,
    criteria: {
      ...plain,
      managedObjectTypes: hasSeveral(had.managedObjectTypes) ? had.managedObjectTypes : types,
      managedObjectIds: hasSeveral(had.managedObjectIds) ? had.managedObjectIds : one(objectId),
      siteIds: hasSeveral(had.siteIds) ? had.siteIds : one(site),
      faultTypes: had.faultTypes ?? [],
      window: limited ? window : null,
    },
  } as RouteInput;
}

const place = (id: string) => ({ params: { path: { route_id: id } } });
export const routeCreate = (body: RouteInput) => data<AlarmRoute>(api.POST("/api/v1/alarm_routes", { body }));
export const routeUpdate = (id: string, body: RouteChange, version: number) =>
  data<AlarmRoute>(
    api.PATCH("/api/v1/alarm_routes/{route_id}", { ...place(id), body, headers: changeHeaders(version) }),
  );
export const routeDelete = (id: string, version: number) =>
  api.DELETE("/api/v1/alarm_routes/{route_id}", { ...place(id), headers: changeHeaders(version) });
export const routeTest = (id: string) => api.POST("/api/v1/alarm_routes/{route_id}/test", place(id));

/** Deliveries publish no events, so they are polled. */
const LOOK_MS = 10_000;

export const routeQueries = {
  routes: () =>
    queryOptions({
      queryKey: routeKeys.routes,
      queryFn: async () => (await all<AlarmRoute>(api.GET("/api/v1/alarm_routes"))).map(rowOf),
      refetchInterval: LOOK_MS,
    }),
  deliveries: (id: string) =>
    queryOptions({
      queryKey: routeKeys.deliveries(id),
      queryFn: () => data<RouteDelivery[]>(api.GET("/api/v1/alarm_routes/{route_id}/deliveries", place(id))),
      refetchInterval: LOOK_MS,
    }),
};
