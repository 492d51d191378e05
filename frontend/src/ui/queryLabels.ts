import { t } from "@lingui/core/macro";
import { notifyManager, useQueryClient, type Query } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

/** Keys: family of queries; the others are "Part of this page". */
const QUERY_LABELS: Record<string, string> = {
  overview: t`The overview`,
  operations: t`The list of operations`,
  vnf_packages: t`The catalog`,
  vnf_package: t`The package`,
  vnfds: t`The VNFDs`,
  vims: t`The clouds`,
  vim: t`The cloud`,
  vim_resources: t`The cloud resources`,
  vim_watch: t`The monitoring of the cloud`,
  vim_bus: t`The notification settings`,
  unclaimed: t`The unclaimed resources`,
  vnf_instances: t`The VNF instances`,
  vnf_instance: t`The VNF instance`,
  op_occs: t`The operations`,
  op_occ: t`The operation`,
  story: t`The timeline of the operation`,
  alarms: t`Alarms and alarm counts`,
  alarm_sites: t`The sites and their alarms`,
  alarm: t`The alarm`,
  alarm_notes: t`The notes`,
  alarm_policies: t`The alarm policies`,
  maintenance_windows: t`The maintenance windows`,
  elements: t`The elements`,
  element: t`The element`,
  element_parts: t`Equipment and interfaces`,
  traps: t`The traps`,
  trap_receivers: t`The trap receivers`,
  counted_objects: t`The counted objects`,
  counters: t`The counters`,
  performance: t`Performance`,
  boards: t`The boards`,
  board: t`The board`,
  board_series: t`The counters of the board`,
  instance_notes: t`The notes`,
  instance_snapshots: t`The snapshots`,
  console_log: t`The log`,
  configuration: t`The configuration`,
  configuration_jobs: t`The jobs`,
  configuration_job: t`The job`,
  sites: t`The sites`,
  mediation_policies: t`The mediation policies`,
  discovery_rules: t`The discovery rules`,
  automation_policies: t`The automation policies`,
  automation_decisions: t`The decisions`,
  topology: t`The map`,
  topology_positions: t`The map layout`,
  vnfd: t`The VNFD`,
  figures: t`The figures`,
  package_files: t`The files`,
  package_file: t`The file`,
  package_report: t`The findings`,
  alarm_dictionary: t`The alarm dictionary`,
  vim_webhook: t`The telemetry webhook`,
  configuration_text: t`The text`,
};

export const queryLabel = ({ queryKey: [family] }: Query): string =>
  (typeof family === "string" ? QUERY_LABELS[family] : undefined) ?? t`Part of this page`;

/** Renders only when `stateOf` one of the queries changes. */
export function useMatchingQueries(predicate: (query: Query) => boolean, stateOf: (query: Query) => string): Query[] {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback(
    // The cache also notifies during a render, so notifications are batched.
    (onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)),
    [cache],
  );
  const found = () => cache.findAll({ predicate });
  useSyncExternalStore(subscribe, () =>
    found()
      .map((query) => `${query.queryHash} ${stateOf(query)}`)
      .join("\n"),
  );
  return found();
}
