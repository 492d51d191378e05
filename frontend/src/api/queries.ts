import { QueryCache, QueryClient, queryOptions } from "@tanstack/react-query";
import * as calls from "./calls";
import { isStatus } from "./http";
import { NO_ANSWER, ProblemError } from "./problem";
import type { Topic } from "./types";

/** Query keys: [family] for a list, [family, id] for one. `live.ts` turns events into these. */
export const keys = {
  session: ["session"],
  vnfPackages: ["vnf_packages"],
  vnfPackage: (id: string) => ["vnf_package", id],
  vnfds: ["vnfds"],
  vnfd: (vnfdId: string) => ["vnfd", vnfdId],
  vims: ["vims"],
  vim: (id: string) => ["vim", id],
  vimResources: (id: string) => ["vim_resources", id],
  plan: (id: string) => ["plan", id],
  vnfInstances: ["vnf_instances"],
  vnfInstance: (id: string) => ["vnf_instance", id],
  etsiVnfInstance: (id: string) => ["etsi_vnf_instance", id],
  opOccs: ["op_occs"],
  opOcc: (id: string) => ["op_occ", id],
  story: (opOccId: string) => ["story", opOccId],
  unclaimed: (vimId: string) => ["unclaimed", vimId],
  /** What was told when an instance was let go of; never fetched. */
  forgotten: (vnfInstanceId: string) => ["forgotten", vnfInstanceId],
  alarms: ["alarms"],
  alarmSummary: ["alarms", "summary"],
} as const;

/** What an event of a topic makes stale. */
export const STALE: Record<Topic, (id: string) => readonly (readonly string[])[]> = {
  "vnf_instance.changed": (id) => [keys.vnfInstances, keys.vnfInstance(id), keys.etsiVnfInstance(id)],
  "op_occ.changed": (id) => [keys.opOccs, keys.opOcc(id), keys.story(id)],
  "alarm.changed": () => [keys.alarms],
  "vim.changed": (id) => [keys.vims, keys.vim(id), keys.vimResources(id)],
  "unclaimed.changed": (vimId) => [keys.unclaimed(vimId)],
  "vnf_package.changed": (id) => [keys.vnfPackages, keys.vnfPackage(id), keys.vnfds],
  "plan.changed": (id) => [keys.plan(id)],
};

const PLAN_POLL_MS = 1000;
/** A look at the cloud that finds nothing new makes no event, yet "seen 3 sec. ago" should not grow old. */
const SEEN_POLL_MS = 30_000;

export const q = {
  session: () => queryOptions({ queryKey: keys.session, queryFn: calls.sessionGet, staleTime: Infinity }),
  vnfPackages: () => queryOptions({ queryKey: keys.vnfPackages, queryFn: calls.vnfPackageList }),
  vnfPackage: (id: string) => queryOptions({ queryKey: keys.vnfPackage(id), queryFn: () => calls.vnfPackageView(id) }),
  vnfds: () => queryOptions({ queryKey: keys.vnfds, queryFn: calls.vnfdList }),
  vnfd: (vnfdId: string) => queryOptions({ queryKey: keys.vnfd(vnfdId), queryFn: () => calls.vnfdView(vnfdId) }),
  vims: () => queryOptions({ queryKey: keys.vims, queryFn: calls.vimList }),
  vim: (id: string) =>
    queryOptions({ queryKey: keys.vim(id), queryFn: () => calls.vimView(id), refetchInterval: SEEN_POLL_MS }),
  vimResources: (id: string) =>
    queryOptions({ queryKey: keys.vimResources(id), queryFn: () => calls.vimResources(id) }),
  /** A plan is announced by an event; polling is the belt to those braces while somebody waits for it. */
  plan: (id: string) =>
    queryOptions({
      queryKey: keys.plan(id),
      queryFn: () => calls.planView(id),
      refetchInterval: (query) => (query.state.data?.state === "PENDING" ? PLAN_POLL_MS : false),
    }),
  vnfInstances: () => queryOptions({ queryKey: keys.vnfInstances, queryFn: calls.vnfInstanceList }),
  vnfInstance: (id: string) =>
    queryOptions({
      queryKey: keys.vnfInstance(id),
      queryFn: () => calls.vnfInstanceView(id),
      refetchInterval: SEEN_POLL_MS,
    }),
  etsiVnfInstance: (id: string) =>
    queryOptions({ queryKey: keys.etsiVnfInstance(id), queryFn: () => calls.etsiVnfInstanceView(id) }),
  opOccsOf: (vnfInstanceId: string) =>
    queryOptions({
      queryKey: [...keys.opOccs, "of", vnfInstanceId],
      queryFn: () => calls.opOccListOf(vnfInstanceId),
    }),
  /** Not at their end: they run, or wait for a decision. */
  opOccsOpen: () => queryOptions({ queryKey: [...keys.opOccs, "open"], queryFn: calls.opOccListOpen }),
  opOcc: (id: string) => queryOptions({ queryKey: keys.opOcc(id), queryFn: () => calls.opOccView(id) }),
  story: (opOccId: string) => queryOptions({ queryKey: keys.story(opOccId), queryFn: () => calls.opOccStory(opOccId) }),
  unclaimed: (vimId: string) =>
    queryOptions({
      queryKey: keys.unclaimed(vimId),
      queryFn: () => calls.unclaimedList(vimId),
      refetchInterval: SEEN_POLL_MS,
    }),
  alarms: () => queryOptions({ queryKey: [...keys.alarms, "all"], queryFn: calls.alarmList }),
  alarmSummary: () => queryOptions({ queryKey: keys.alarmSummary, queryFn: calls.alarmSummary }),
};

const RETRIES = 2;
const STALE_MS = 15_000;

function worthRetrying(failures: number, error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  return failures < RETRIES && (error.status === NO_ANSWER || error.status >= 502);
}

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        // The session is gone: say so once, whatever call found out.
        if (isStatus(error, 401)) client.setQueryData(keys.session, null);
      },
    }),
    defaultOptions: { queries: { staleTime: STALE_MS, retry: worthRetrying } },
  });
  return client;
}
