import { queryOptions } from "@tanstack/react-query";
import { elementPage } from "./callsElements";
import * as faults from "./callsFaults";
import { pages } from "./client";
import { keys } from "./keys";
import { OBSERVED_POLL_MS } from "./queries";
import type { ManagedObjectType } from "./types";

/** The FDN (fully distinguished name) of every element begins with this. */
export const NETWORK_FDN = "network";

/**
 * These are families of their own so that `invalidation.ts` can read them less often than lists in a storm of
 * alarms.
 */
export const networkKeys = { parts: ["alarm_parts"], sites: ["alarm_sites"] } as const;

export const networkQueries = {
  alarms: (type: ManagedObjectType) =>
    queryOptions({
      queryKey: [...keys.alarmSummary, type],
      queryFn: () => faults.alarmSummary(type),
    }),
  sites: (count: number) =>
    queryOptions({
      queryKey: [...networkKeys.sites, count],
      queryFn: () => pages(count, faults.alarmSiteSummary),
      refetchInterval: OBSERVED_POLL_MS,
    }),
  elements: (filter: string | undefined, count: number) =>
    queryOptions({
      queryKey: [...keys.elements, "pages", filter, count],
      queryFn: () => pages(count, (marker) => elementPage({ filter, sort: "name", nextpage_opaque_marker: marker })),
      refetchInterval: OBSERVED_POLL_MS,
    }),
  /** The server returns only parts that have alarms. */
  parts: (objectId: string) =>
    queryOptions({
      queryKey: [...networkKeys.parts, objectId],
      queryFn: () => faults.alarmPartSummary(objectId),
    }),
};
