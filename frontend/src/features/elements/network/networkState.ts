import {
  useQueries,
  useQuery,
  useQueryClient,
  type QueryClient,
  type QueryKey,
  type UseQueryResult,
} from "@tanstack/react-query";
import type { Page } from "@/api/client";
import { networkQueries } from "@/api/network";
import { q } from "@/api/queries";
import type { AlarmObjectSummary, NetworkElement } from "@/api/types";
import { alarmCountsOf } from "@/features/faults/AlarmBadge";
import { numbersOf, type Numbers } from "@/features/faults/AlarmNumbers";
import { NETWORK_FDN } from "@/api/network";
import { siteKey, type NetworkState, type Read } from "./treeLines";
import { elementsAt } from "@/records/siteOptions";

/** The number of pages to read of the list below a node. */
export type Pages = (of: string) => number;

type Answer<Data> = Pick<UseQueryResult<Data>, "data" | "error" | "isPending"> & { refetch: () => unknown };

const problemOf = ({ data, error, refetch }: Answer<unknown>): Read<never>["problem"] =>
  error && data === undefined ? { error, retry: () => void refetch() } : undefined;

/** Keeps the pages that were read until one more has arrived. */
function loadedPages<Row>(
  client: QueryClient,
  queryKey: QueryKey,
  { data }: Answer<Page<Row>[]>,
): readonly Page<Row>[] {
  const fewer = [...queryKey.slice(0, -1), Number(queryKey.at(-1)) - 1];
  return data ?? client.getQueryData<Page<Row>[]>(fewer) ?? [];
}

const readOf = <Row>(answer: Answer<Page<Row>[]>, shown: readonly Page<Row>[]): Read<Row> => ({
  rows: shown.flatMap(({ rows }) => rows),
  hasMore: shown.at(-1)?.next !== undefined,
  isReading: answer.isPending,
  problem: problemOf(answer),
});

/** One request counts the alarms of a page of elements. */
function numbersByElement(
  pages: readonly { ids: readonly string[]; counts: UseQueryResult<AlarmObjectSummary[]> }[],
): NetworkState["numbers"] {
  const known = new Map<string, Numbers>();
  for (const { ids, counts } of pages) {
    const of = alarmCountsOf(counts);
    for (const id of ids) known.set(id, of(id));
  }
  return (id) => known.get(id) ?? "READING";
}

/** Each page of elements costs two requests. */
function useElements(sites: readonly string[], pages: Pages) {
  const client = useQueryClient();
  const queries = sites.map((site) => networkQueries.elements(elementsAt(site), pages(site)));
  const answers = useQueries({ queries });
  const shown = answers.map((answer, index) => loadedPages(client, queries[index]?.queryKey ?? [], answer));
  const ids = shown.flat().map(({ rows }) => rows.map(({ id }) => id));
  const counts = useQueries({
    queries: ids.map((each) => ({
      ...q.alarmCounts({ managedObjectId: each.join(",") }),
      enabled: each.length > 0,
    })),
  });
  const elements = new Map<string, Read<NetworkElement>>(
    answers.map((answer, index) => [sites[index] ?? "", readOf(answer, shown[index] ?? [])]),
  );
  const numbers = numbersByElement(counts.map((each, index) => ({ ids: ids[index] ?? [], counts: each })));
  return { elements, numbers };
}

function useParts(elementIds: readonly string[]): NetworkState["parts"] {
  const equipment = useQueries({ queries: elementIds.map((id) => q.equipment(id)) });
  const counts = useQueries({ queries: elementIds.map((id) => networkQueries.parts(id)) });
  return new Map(
    elementIds.flatMap((id, index) => {
      const [parts, counted] = [equipment[index], counts[index]];
      if (!parts || !counted) return [];
      const { data = [], isPending } = parts;
      const list = { rows: data, hasMore: false, isReading: isPending, problem: problemOf(parts) };
      return [[id, { equipment: list, numbers: numbersOf(counted) }] as const];
    }),
  );
}

/** Nothing is read for nodes that are closed. */
export function useNetworkState(open: ReadonlySet<string>, pages: Pages): NetworkState {
  const client = useQueryClient();
  const all = useQuery(networkQueries.alarms("NETWORK_ELEMENT"));
  const sitesQuery = networkQueries.sites(pages(NETWORK_FDN));
  const answer = useQuery(sitesQuery);
  const sites = readOf(answer, loadedPages(client, sitesQuery.queryKey, answer));
  const opened = sites.rows.filter((site) => site.elements > 0 && open.has(siteKey(site))).map(siteKey);
  const { elements, numbers } = useElements(opened, pages);
  const found = [...elements.values()].flatMap(({ rows }) => rows.map(({ id }) => id));
  const parts = useParts(found.filter((id) => open.has(id)));
  return { network: all.data ?? (all.isError ? "UNKNOWN" : "READING"), sites, elements, numbers, parts };
}
