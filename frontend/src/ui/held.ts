/** Queries that the page shows, and what they hold in words: marks hear of all of them, so that none needs one of its own. */
import { notifyManager, useQueryClient, type Query } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

/** What the families of queries hold, as people call it; the others are "Part of this page". */
const HELD: Record<string, string> = {
  overview: "The overview",
  operations: "The list of operations",
  vnf_packages: "The catalog",
  vnf_package: "The package",
  vnfds: "What packages describe",
  vims: "The clouds",
  vim: "The cloud",
  vim_resources: "What the cloud offers",
  vim_watch: "How the cloud is watched",
  vim_bus: "How the cloud notifies",
  unclaimed: "What nobody claims",
  vnf_instances: "The VNF instances",
  vnf_instance: "The VNF instance",
  op_occs: "The operations",
  op_occ: "The operation",
  story: "The story of the operation",
  alarms: "Alarms and their numbers",
  alarm_sites: "The sites and their alarms",
  alarm: "The alarm",
  alarm_notes: "The notes",
  alarm_policies: "The alarm policies",
  maintenance_windows: "The maintenance windows",
  elements: "The elements",
  element: "The element",
  element_parts: "Equipment and interfaces",
  traps: "The traps",
  trap_receivers: "How the receivers of traps fare",
  counted_objects: "What is counted",
  counters: "The counters",
  performance: "How busy interfaces and elements are",
  instance_notes: "The notes",
  console_log: "The log",
  configuration: "The configuration",
  configuration_jobs: "The jobs",
  configuration_job: "The job",
  sites: "The sites",
  mediation_policies: "The mediation policies",
  discovery_rules: "The discovery rules",
  automation_policies: "The automation policies",
  automation_decisions: "The decisions",
  topology: "The map",
  topology_positions: "Where boxes were put",
  vnfd: "What the package describes",
  figures: "The figures",
  package_files: "The files",
  package_file: "The file",
  package_report: "The findings",
  alarm_dictionary: "What alarms mean",
  vim_webhook: "How telemetry calls",
  configuration_text: "The text",
};

export const heldBy = ({ queryKey: [family] }: Query): string =>
  (typeof family === "string" ? HELD[family] : undefined) ?? "Part of this page";

/** Queries that are so; the same array as long as nothing about them changes of what `told` tells. */
export function useQueries(predicate: (query: Query) => boolean, told: (query: Query) => string): Query[] {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback(
    // Gathered: the cache also tells while something is being drawn.
    (onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)),
    [cache],
  );
  const found = () => cache.findAll({ predicate });
  useSyncExternalStore(subscribe, () =>
    found()
      .map((query) => `${query.queryHash} ${told(query)}`)
      .join("\n"),
  );
  return found();
}
