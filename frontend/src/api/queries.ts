import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  replaceEqualDeep,
} from "@tanstack/react-query";
import * as calls from "./calls";
import * as automation from "./callsAutomation";
import * as boards from "./callsBoards";
import * as configuration from "./callsConfiguration";
import * as elements from "./callsElements";
import { environmentList } from "./callsEnvironments";
import { thresholdRuleList } from "./callsThresholds";
import * as faults from "./callsFaults";
import * as instance from "./callsInstance";
import * as performance from "./callsPerformance";
import { isTruncated } from "./client";
import { isStatus } from "./http";
import { keys } from "./keys";
import { NO_ANSWER, ProblemError } from "./problem";
import type {
  AlarmObjectQuery,
  AlarmQuery,
  ConfigurationVersionQuery,
  DecisionQuery,
  ElementQuery,
  TopQuery,
  TrapQuery,
} from "./types";

/** A package's content never changes. */
const UNCHANGING = { staleTime: Infinity };
const PLAN_POLL_MS = 1000;
/** A poll of the cloud without changes publishes no event, but "seen 3 sec. ago" should not grow old. */
export const OBSERVED_POLL_MS = 30_000;
/** The server also aggregates counters at this interval. */
const ROLLUP_MS = 15 * 60_000;
const SUMMED_STALE_MS = 5 * 60_000;
/** A PM threshold publishes no event, and a board of 40 charts reads the thresholds of each port. */
const THRESHOLD_POLL_MS = 5 * 60_000;
/** Cloud polls publish no events, so their status is polled. */
const WATCH_POLL_MS = 5000;
const HOUR_MS = 3_600_000;

export const q = {
  session: () => queryOptions({ queryKey: keys.session, queryFn: calls.sessionGet, staleTime: Infinity }),
  vnfPackages: () => queryOptions({ queryKey: keys.vnfPackages, queryFn: calls.vnfPackageList }),
  vnfPackage: (id: string) => queryOptions({ queryKey: keys.vnfPackage(id), queryFn: () => calls.vnfPackageView(id) }),
  packageFiles: (id: string) =>
    queryOptions({ queryKey: keys.packageFiles(id), queryFn: () => calls.packageFiles(id), ...UNCHANGING }),
  /** Null means that the file is not text. */
  packageFile: (id: string, path: string) =>
    queryOptions({
      queryKey: keys.packageFile(id, path),
      queryFn: async () => (await calls.packageFileText(id, path)) ?? null,
      ...UNCHANGING,
    }),
  packageReport: (id: string) =>
    queryOptions({ queryKey: keys.packageReport(id), queryFn: () => calls.packageReport(id), ...UNCHANGING }),
  vnfds: () => queryOptions({ queryKey: keys.vnfds, queryFn: calls.vnfdList }),
  vnfd: (vnfdId: string) => queryOptions({ queryKey: keys.vnfd(vnfdId), queryFn: () => calls.vnfdView(vnfdId) }),
  figures: (vnfdId: string) =>
    queryOptions({ queryKey: keys.figures(vnfdId), queryFn: () => calls.vnfdFigures(vnfdId), ...UNCHANGING }),
  referenceFigures: () =>
    queryOptions({ queryKey: keys.referenceFigures, queryFn: calls.referenceFigures, ...UNCHANGING }),
  vims: () => queryOptions({ queryKey: keys.vims, queryFn: calls.vimList }),
  vim: (id: string) =>
    queryOptions({ queryKey: keys.vim(id), queryFn: () => calls.vimView(id), refetchInterval: OBSERVED_POLL_MS }),
  vnfNetworks: (id: string) => queryOptions({ queryKey: keys.vnfNetworks(id), queryFn: () => calls.vnfNetworks(id) }),
  vimResources: (id: string) =>
    queryOptions({ queryKey: keys.vimResources(id), queryFn: () => calls.vimResources(id) }),
  /** An event announces the plan; polling covers a lost event while the page waits. */
  plan: (id: string) =>
    queryOptions({
      queryKey: keys.plan(id),
      queryFn: () => calls.planView(id),
      refetchInterval: (query) => (query.state.data?.state === "PENDING" ? PLAN_POLL_MS : false),
    }),
  vnfInstances: () => queryOptions({ queryKey: keys.vnfInstances, queryFn: () => calls.vnfInstanceList() }),
  /** The rows of the previous filter stay visible until the new ones arrive. */
  vnfInstancesBy: (filter: string | undefined) =>
    queryOptions({
      queryKey: filter === undefined ? keys.vnfInstances : [...keys.vnfInstances, filter],
      queryFn: () => calls.vnfInstanceList(filter),
      placeholderData: keepPreviousData,
    }),
  /** The first page arrives long before the whole list. */
  vnfInstancesFirst: (filter: string | undefined) =>
    queryOptions({
      queryKey: [...keys.vnfInstances, "first", filter ?? ""],
      queryFn: () => calls.vnfInstancePage(filter === undefined ? {} : { filter }),
      placeholderData: keepPreviousData,
    }),
  vnfInstance: (id: string) =>
    queryOptions({
      queryKey: keys.vnfInstance(id),
      queryFn: () => calls.vnfInstanceView(id),
      refetchInterval: OBSERVED_POLL_MS,
    }),
  etsiVnfInstance: (id: string) =>
    queryOptions({ queryKey: keys.etsiVnfInstance(id), queryFn: () => calls.etsiVnfInstanceView(id) }),
  instanceNotes: (id: string) =>
    queryOptions({
      queryKey: keys.instanceNotes(id),
      queryFn: () => instance.instanceNotes(id),
      refetchInterval: OBSERVED_POLL_MS,
    }),
  instanceSnapshots: (id: string) =>
    queryOptions({ queryKey: keys.instanceSnapshots(id), queryFn: () => instance.instanceSnapshots(id) }),
  /** A worker reads the log from the cloud for each request, so it is not cached. */
  consoleLog: (id: string, vnfcId: string) =>
    queryOptions({
      queryKey: keys.consoleLog(vnfcId),
      queryFn: () => instance.vnfcConsoleLog(id, vnfcId),
      ...{ staleTime: Infinity, gcTime: 0, retry: false, meta: { once: true } },
    }),
  opOccsOf: (vnfInstanceId: string) =>
    queryOptions({
      queryKey: [...keys.opOccs, "of", vnfInstanceId],
      queryFn: () => calls.opOccListOf(vnfInstanceId),
    }),
  opOccsOpen: () => queryOptions({ queryKey: [...keys.opOccs, "open"], queryFn: calls.opOccListOpen }),
  opOcc: (id: string) => queryOptions({ queryKey: keys.opOcc(id), queryFn: () => calls.opOccView(id) }),
  story: (opOccId: string) => queryOptions({ queryKey: keys.story(opOccId), queryFn: () => calls.opOccStory(opOccId) }),
  unclaimed: (vimId: string) =>
    queryOptions({
      queryKey: keys.unclaimed(vimId),
      queryFn: () => calls.unclaimedList(vimId),
      refetchInterval: OBSERVED_POLL_MS,
    }),
  /** The previous page stays visible until the next one arrives. */
  alarms: (query: AlarmQuery) =>
    queryOptions({
      queryKey: [...keys.alarms, "page", query],
      queryFn: () => faults.alarmPage(query),
      placeholderData: keepPreviousData,
    }),
  alarm: (id: string) => queryOptions({ queryKey: keys.alarm(id), queryFn: () => faults.alarmView(id) }),
  alarmNotes: (id: string) => queryOptions({ queryKey: keys.alarmNotes(id), queryFn: () => faults.alarmNotes(id) }),
  alarmSummary: () => queryOptions({ queryKey: keys.alarmSummary, queryFn: () => faults.alarmSummary() }),
  /** The server returns only objects that have alarms. */
  alarmCounts: (query: AlarmObjectQuery) =>
    queryOptions({
      queryKey: [...keys.alarms, "objects", query],
      queryFn: () => faults.alarmObjectSummary(query),
      placeholderData: keepPreviousData,
    }),
  alarmDictionary: () =>
    queryOptions({ queryKey: keys.alarmDictionary, queryFn: faults.alarmDictionary, ...UNCHANGING }),
  alarmPolicies: () => queryOptions({ queryKey: keys.alarmPolicies, queryFn: faults.alarmPolicyList }),
  maintenanceWindows: () => queryOptions({ queryKey: keys.maintenanceWindows, queryFn: faults.maintenanceWindowList }),
  elements: (query: ElementQuery) =>
    queryOptions({
      queryKey: [...keys.elements, "page", query],
      queryFn: () => elements.elementPage(query),
      placeholderData: keepPreviousData,
      refetchInterval: OBSERVED_POLL_MS,
    }),
  elementsOf: (vnfInstanceId: string) =>
    queryOptions({
      queryKey: [...keys.elements, "of", vnfInstanceId],
      queryFn: () => elements.elementsOf(vnfInstanceId),
    }),
  element: (id: string) =>
    queryOptions({
      queryKey: keys.element(id),
      queryFn: () => elements.elementView(id),
      refetchInterval: OBSERVED_POLL_MS,
    }),
  equipment: (id: string) =>
    queryOptions({
      queryKey: [...keys.elementParts(id), "equipment"],
      queryFn: () => elements.elementEquipment(id),
      refetchInterval: OBSERVED_POLL_MS,
    }),
  interfaces: (id: string) =>
    queryOptions({ queryKey: [...keys.elementParts(id), "interfaces"], queryFn: () => elements.elementInterfaces(id) }),
  bgpPeers: (id: string) =>
    queryOptions({ queryKey: [...keys.elementParts(id), "bgp"], queryFn: () => elements.elementBgpPeers(id) }),
  adjacencies: (id: string) =>
    queryOptions({
      queryKey: [...keys.elementParts(id), "adjacencies"],
      queryFn: () => elements.elementAdjacencies(id),
      refetchInterval: OBSERVED_POLL_MS,
    }),
  /** Sorting gives the same names the same key. */
  elementsCalled: (names: readonly string[]) =>
    queryOptions({
      queryKey: [...keys.elements, "called", names],
      queryFn: () => elements.elementsByName(names),
      enabled: names.length > 0,
      placeholderData: keepPreviousData,
    }),
  facts: (id: string) =>
    queryOptions({ queryKey: [...keys.elementParts(id), "facts"], queryFn: () => elements.elementFacts(id) }),
  omissions: (id: string) =>
    queryOptions({ queryKey: [...keys.elementParts(id), "omissions"], queryFn: () => elements.elementOmissions(id) }),
  /** Traps publish no events, which would be as many as traps. */
  traps: (elementId: string, query: TrapQuery) =>
    queryOptions({
      queryKey: [...keys.traps(elementId), query],
      queryFn: () => configuration.elementTraps(elementId, query),
      placeholderData: keepPreviousData,
      refetchInterval: WATCH_POLL_MS,
    }),
  allTraps: (query: TrapQuery) =>
    queryOptions({
      queryKey: [...keys.traps("all"), query],
      queryFn: () => configuration.trapPage(query),
      placeholderData: keepPreviousData,
      refetchInterval: WATCH_POLL_MS,
    }),
  trapReceivers: () =>
    queryOptions({
      queryKey: ["trap_receivers"],
      queryFn: configuration.trapReceiverList,
      refetchInterval: WATCH_POLL_MS,
    }),
  countedObjects: (elementId: string) =>
    queryOptions({
      queryKey: ["counted_objects", elementId],
      queryFn: () => configuration.countedObjects(elementId),
      refetchInterval: OBSERVED_POLL_MS,
    }),
  counters: (elementId: string, object: string, hours: number) =>
    queryOptions({
      queryKey: ["counters", elementId, object, hours],
      queryFn: () =>
        configuration.counters(elementId, { object, from: new Date(Date.now() - hours * HOUR_MS).toISOString() }),
      refetchInterval: OBSERVED_POLL_MS,
    }),
  thresholds: (elementId: string, object: string) =>
    queryOptions({
      queryKey: [...keys.thresholds, elementId, object],
      queryFn: () => configuration.elementThresholds(elementId, object),
      refetchInterval: THRESHOLD_POLL_MS,
    }),
  /** Over an hour or more, half a minute changes little, and the request is expensive. */
  performanceTop: (query: TopQuery) =>
    queryOptions({
      queryKey: ["performance", query],
      queryFn: () => performance.performanceTop(query),
      placeholderData: keepPreviousData,
      ...((query?.window ?? "15m") === "15m"
        ? { refetchInterval: OBSERVED_POLL_MS }
        : { refetchInterval: ROLLUP_MS, staleTime: SUMMED_STALE_MS }),
    }),
  /** `until` "" means now. */
  counterSeries: (elementId: string, object: string, counter: string, minutes: number, until: string) =>
    queryOptions({
      queryKey: ["counters", elementId, object, counter, minutes, until],
      queryFn: () => performance.counterSeries(elementId, object, counter, minutes, until),
      refetchInterval: until === "" ? OBSERVED_POLL_MS : false,
    }),
  boards: () => queryOptions({ queryKey: keys.boards, queryFn: boards.boardList }),
  board: (id: string) => queryOptions({ queryKey: keys.board(id), queryFn: () => boards.boardView(id) }),
  /** `drawn` names the series for the key; `until` "" means now. */
  boardSeries: (id: string, drawn: string, minutes: number, until: string) =>
    queryOptions({
      queryKey: ["board_series", id, drawn, minutes, until],
      queryFn: () => boards.boardSeries(id, minutes, until),
      placeholderData: keepPreviousData,
      refetchInterval: until === "" ? OBSERVED_POLL_MS : false,
    }),
  instanceTraffic: (instanceId: string, minutes: number) =>
    queryOptions({
      queryKey: ["traffic", instanceId, minutes],
      queryFn: () => performance.instanceTraffic(instanceId, minutes),
      refetchInterval: OBSERVED_POLL_MS,
    }),
  configurationPlan: (elementId: string) =>
    queryOptions({
      queryKey: [...keys.configuration(elementId), "plan"],
      queryFn: () => configuration.configurationPlan(elementId),
    }),
  configurationVersions: (elementId: string, query: ConfigurationVersionQuery) =>
    queryOptions({
      queryKey: [...keys.configuration(elementId), "versions", query],
      queryFn: () => configuration.configurationVersions(elementId, query),
      placeholderData: keepPreviousData,
    }),
  configurationText: (elementId: string, version: string) =>
    queryOptions({
      queryKey: ["configuration_text", elementId, version],
      queryFn: () => configuration.configurationText(elementId, version),
      ...UNCHANGING,
    }),
  configurationJobs: (elementId: string) =>
    queryOptions({
      queryKey: [...keys.configurationJobs, elementId],
      queryFn: () => configuration.configurationJobs(elementId),
    }),
  /** Events announce the job; polling covers a lost event while the page waits. */
  configurationJob: (elementId: string, id: string) =>
    queryOptions({
      queryKey: keys.configurationJob(id),
      queryFn: () => configuration.configurationJob(elementId, id),
      refetchInterval: ({ state: { data } }) =>
        data?.state === "DONE" || data?.state === "FAILED" ? false : PLAN_POLL_MS,
    }),
  sites: () => queryOptions({ queryKey: keys.sites, queryFn: elements.siteList }),
  mediationPolicies: () => queryOptions({ queryKey: keys.mediationPolicies, queryFn: elements.mediationPolicyList }),
  managementProfiles: () =>
    queryOptions({ queryKey: keys.managementProfiles, queryFn: elements.managementProfileList }),
  discoveryRules: () => queryOptions({ queryKey: keys.discoveryRules, queryFn: elements.discoveryRuleList }),
  automationPolicies: () =>
    queryOptions({ queryKey: keys.automationPolicies, queryFn: automation.automationPolicyList }),
  thresholdRules: () =>
    queryOptions({
      queryKey: keys.thresholdRules,
      queryFn: thresholdRuleList,
      refetchInterval: OBSERVED_POLL_MS,
    }),
  environments: () => queryOptions({ queryKey: keys.environments, queryFn: environmentList }),
  automationDecisions: (policyId: string, query: DecisionQuery) =>
    queryOptions({
      queryKey: [...keys.automationDecisions(policyId), query],
      queryFn: () => automation.automationDecisions(policyId, query),
      placeholderData: keepPreviousData,
    }),
  vimWatch: (id: string) =>
    queryOptions({
      queryKey: keys.vimWatch(id),
      queryFn: () => calls.vimWatch(id),
      refetchInterval: WATCH_POLL_MS,
    }),
  vimHosts: (id: string) =>
    queryOptions({
      queryKey: [...keys.vimWatch(id), "hosts"],
      queryFn: () => calls.vimHosts(id),
      refetchInterval: OBSERVED_POLL_MS,
    }),
  vimBus: (id: string) =>
    queryOptions({
      queryKey: keys.vimBus(id),
      queryFn: () => calls.vimNotifications(id),
      refetchInterval: WATCH_POLL_MS,
    }),
  vimWebhook: (id: string) =>
    queryOptions({
      queryKey: keys.vimWebhook(id),
      queryFn: () => calls.vimWebhook(id),
      refetchInterval: OBSERVED_POLL_MS,
    }),
};

const RETRIES = 2;
const STALE_MS = 15_000;
/** The database used all of its permitted time; an immediate repetition would cost as much. */
const NOT_REFETCHED = "TOO_MUCH_COUNTED";

function isRetryable(failures: number, error: unknown): boolean {
  if (!(error instanceof ProblemError) || error.problem.code === NOT_REFETCHED) return false;
  return failures < RETRIES && (error.status === NO_ANSWER || error.status >= 502);
}

/** Structural sharing would lose the mark of a truncated list. */
const shared = (before: unknown, now: unknown): unknown =>
  isTruncated(now) || isTruncated(before) ? now : replaceEqualDeep(before, now);

export function createQueryClient(): QueryClient {
  // Any query may be the first to find that the session has ended.
  const onError = (error: Error) => {
    if (isStatus(error, 401)) client.setQueryData(keys.session, null);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { staleTime: STALE_MS, retry: isRetryable, structuralSharing: shared } },
  });
  return client;
}
