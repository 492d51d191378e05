/** What the tree of the network counts, node by node. */
import { queryOptions } from "@tanstack/react-query";
import { elementPage } from "./callsElements";
import * as faults from "./callsFaults";
import { pages } from "./client";
import { keys } from "./keys";
import { OBSERVED_POLL_MS } from "./queries";
import type { ManagedObjectType } from "./types";

/** The FDN (fully distinguished name) that the FDNs of all elements begin with. */
export const NETWORK_FDN = "network";

/** Families of their own: under a storm of alarms they are read again less often than lists (`invalidation.ts`). */
export const networkKeys = { parts: ["alarm_parts"], sites: ["alarm_sites"] } as const;

export const networkQueries = {
  /** Open alarms of all objects of a type. */
  alarms: (type: ManagedObjectType) =>
    queryOptions({
      queryKey: [...keys.alarmSummary, type],
      queryFn: () => faults.alarmSummary(type),
    }),
  /** So many pages of the sites by name, with how their elements are and what alarms these have. */
  sites: (count: number) =>
    queryOptions({
      queryKey: [...networkKeys.sites, count],
      queryFn: () => pages(count, faults.alarmSiteSummary),
      refetchInterval: OBSERVED_POLL_MS,
    }),
  /** So many pages of the elements that a filter finds, by name. */
  elements: (filter: string | undefined, count: number) =>
    queryOptions({
      queryKey: [...keys.elements, "pages", filter, count],
      queryFn: () => pages(count, (marker) => elementPage({ filter, sort: "name", nextpage_opaque_marker: marker })),
      refetchInterval: OBSERVED_POLL_MS,
    }),
  /** Open alarms of an object by what they are of, of that alone that has any. */
  parts: (objectId: string) =>
    queryOptions({
      queryKey: [...networkKeys.parts, objectId],
      queryFn: () => faults.alarmPartSummary(objectId),
    }),
};
