/** What the tree of the network counts, node by node. */
import { queryOptions } from "@tanstack/react-query";
import * as faults from "./calls-faults";
import type { ManagedObjectType } from "./types";

export const networkKeys = { alarms: ["alarms"], sites: ["alarm_sites"] } as const;

/** Elements that are seen and nothing new make no event. */
const SEEN_POLL_MS = 30_000;

export const networkQueries = {
  /** Open alarms of all objects of a type. */
  alarms: (type: ManagedObjectType) =>
    queryOptions({
      queryKey: [...networkKeys.alarms, "summary", type],
      queryFn: () => faults.alarmSummary(type),
    }),
  /** One page of the sites by name, with how their elements are and what alarms these have. */
  sites: (marker: string | undefined) =>
    queryOptions({
      queryKey: [...networkKeys.sites, marker ?? ""],
      queryFn: () => faults.alarmSiteSummary(marker),
      refetchInterval: SEEN_POLL_MS,
    }),
  /** Open alarms of an object by what they are of, of that alone that has any. */
  parts: (objectId: string) =>
    queryOptions({
      queryKey: [...networkKeys.alarms, "parts", objectId],
      queryFn: () => faults.alarmPartSummary(objectId),
    }),
};
