import { frameKeys } from "./frame";
import { networkKeys } from "./network";
import { keys } from "./keys";
import type { Topic } from "./types";

/** What an event of a topic makes stale. */
export const STALE: Record<Topic, (id: string) => readonly (readonly string[])[]> = {
  "vnf_instance.changed": (id) => [
    keys.vnfInstances,
    keys.vnfInstance(id),
    keys.etsiVnfInstance(id),
    frameKeys.overview,
  ],
  "op_occ.changed": (id) => [keys.opOccs, keys.opOcc(id), keys.story(id), frameKeys.operations, frameKeys.overview],
  "alarm.changed": (id) => [keys.alarms, networkKeys.sites, keys.alarm(id), frameKeys.overview],
  "vim.changed": (id) => [
    keys.vims,
    keys.vim(id),
    keys.vimResources(id),
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
  "automation_policy.changed": () => [keys.automationPolicies],
  "environment.changed": () => [keys.environments],
  "automation_policy.decided": (id) => [keys.automationPolicies, keys.automationDecisions(id)],
};
