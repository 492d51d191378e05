import { Button } from "@patternfly/react-core";
import ExclamationTriangleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon";
import { notifyManager, useMutation, useQueryClient, type Query } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { asProblem, inOurWords } from "@/api/problem";
import { Since } from "./Time";

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

/** Shown now, was read once, and could not be read again. */
const isStale = (query: Query): boolean =>
  query.state.status === "error" && query.state.data !== undefined && query.isActive();

/** Wanted now, and could never be read. That there is no such thing, or no right to see it, is an answer. */
const isMissing = (query: Query): boolean =>
  query.state.status === "error" &&
  query.state.data === undefined &&
  query.isActive() &&
  ![403, 404].includes(asProblem(query.state.error).status);

const isAmiss = (query: Query): boolean => isStale(query) || isMissing(query);

/** Queries that are amiss so; the same array as long as nothing about them changes. */
function useAmiss(): Query[] {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback(
    // Gathered: the cache also tells while something is being drawn.
    (onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)),
    [cache],
  );
  const amiss = () => cache.findAll({ predicate: isAmiss });
  useSyncExternalStore(subscribe, () =>
    amiss()
      .map(({ queryHash, state }) => `${queryHash} ${state.dataUpdatedAt} ${state.errorUpdateCount}`)
      .join("\n"),
  );
  return amiss();
}

const heldBy = ({ queryKey: [family] }: Query): string =>
  (typeof family === "string" ? HELD[family] : undefined) ?? "Part of this page";

const wordsOf = (query: Query): string => {
  const { title, detail } = asProblem(query.state.error);
  return `${heldBy(query)}\n${inOurWords(detail || title)}`;
};

/**
 * What is shown and could not be refreshed, since when and why; what could not be read at all, where the part that wants
 * it says why; and a way to try again. It hears of every query that is on the page, so that none needs a mark of its own.
 */
export function StaleMark() {
  const client = useQueryClient();
  const amiss = useAmiss();
  const again = useMutation({ mutationFn: () => client.refetchQueries({ predicate: isAmiss }) });
  if (amiss.length === 0) return null;
  const missing = [...new Set(amiss.filter(isMissing).map(heldBy))];
  const groups = [...Map.groupBy(amiss.filter(isStale), wordsOf)];
  return (
    <div className="vm-stale" role="status">
      <span className="vm-state-icon vm-color-orange">
        <ExclamationTriangleIcon />
      </span>
      <ul className="vm-plain-list">
        {groups.map(([words, queries]) => {
          const [held, cause] = words.split("\n");
          const since = Math.min(...queries.map(({ state }) => state.dataUpdatedAt));
          return (
            <li key={words}>
              {held} could not be refreshed since <Since at={new Date(since).toISOString()} />: {cause}
            </li>
          );
        })}
        {missing.map((held) => (
          <li key={held}>{held} could not be read.</li>
        ))}
      </ul>
      <Button variant="link" isInline isLoading={again.isPending} onClick={() => again.mutate()}>
        Try again
      </Button>
    </div>
  );
}
