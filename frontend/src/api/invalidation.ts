import { frameKeys } from "./frame";
import { networkKeys } from "./network";
import { keys } from "./keys";
import type { Topic } from "./types";

/** Minimum time between two reads of a list during a storm of events, so that each read can complete. */
const LIST_PACE_MS = 1000;
/** The tree reads a list of counts for each open element and each page of sites, so these are read less often. */
const COUNT_PACE_MS = 5000;
export const paceOf = (family: unknown): number =>
  family === networkKeys.parts[0] || family === networkKeys.sites[0] ? COUNT_PACE_MS : LIST_PACE_MS;

/** Queries that an event of a topic makes stale. */
export const STALE: Record<Topic, (id: string) => readonly (readonly string[])[]> = {
  "vnf_instance.changed": (id) => [
    keys.vnfInstances,
    keys.vnfInstance(id),
    keys.etsiVnfInstance(id),
    keys.instanceSnapshots(id),
    frameKeys.overview,
  ],
  "op_occ.changed": (id) => [keys.opOccs, keys.opOcc(id), keys.story(id), frameKeys.operations, frameKeys.overview],
  "alarm.changed": (id) => [keys.alarms, networkKeys.parts, networkKeys.sites, keys.alarm(id), frameKeys.overview],
  "vim.changed": (id) => [
    keys.vims,
    keys.vim(id),
    keys.vimResources(id),
    keys.vnfNetworks(id),
    keys.vimWatch(id),
    keys.vimBus(id),
    frameKeys.overview,
  ],
  "unclaimed.changed": (vimId) => [keys.unclaimed(vimId)],
  "vnf_package.changed": (id) => [keys.vnfPackages, keys.vnfPackage(id), keys.vnfds],
  "plan.changed": (id) => [keys.plan(id)],
  "network_element.changed": (id) => [
    keys.elements,
    keys.element(id),
    keys.elementParts(id),
    networkKeys.sites,
    frameKeys.overview,
  ],
  "configuration.changed": (elementId) => [keys.configuration(elementId)],
  "configuration_job.changed": (id) => [keys.configurationJobs, keys.configurationJob(id)],
  "discovery_rule.changed": () => [keys.discoveryRules],
  "site.changed": () => [keys.sites, networkKeys.sites],
  "mediation_policy.changed": () => [keys.mediationPolicies],
  "management_profile.changed": () => [keys.managementProfiles],
  "automation_policy.changed": () => [keys.automationPolicies, keys.thresholds],
  "environment.changed": () => [keys.environments],
  "board.changed": (id) => [keys.boards, keys.board(id)],
  "threshold_rule.changed": () => [keys.thresholdRules, keys.thresholds],
  "threshold_rule.crossed": () => [keys.thresholdRules],
  "automation_policy.decided": (id) => [keys.automationPolicies, keys.automationDecisions(id)],
};
