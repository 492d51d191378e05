import { useQueries, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { Page } from "@/api/client";
import { networkQueries } from "@/api/network";
import { q } from "@/api/queries";
import type { AlarmObjectSummary, NetworkElement } from "@/api/types";
import { alarmCountsOf } from "@/faults/AlarmBadge";
import { numbersOf, type Numbers } from "@/faults/AlarmNumbers";
import { NETWORK } from "../tree";
import { siteKey, type Known, type Read } from "./lines";
import { elementsAt } from "./sites";

/** The markers of the pages of a list that were asked for beyond its first, by what the list is of. */
export type Further = Readonly<Record<string, readonly string[]>>;
const markersOf = (further: Further, of: string): (string | undefined)[] => [undefined, ...(further[of] ?? [])];

type Answer<Data> = Pick<UseQueryResult<Data>, "data" | "error" | "isPending"> & { refetch: () => unknown };

const problemOf = (answers: readonly Answer<unknown>[]): Read<never>["problem"] => {
  const failed = answers.find(({ data, error }) => error && data === undefined);
  return failed && { error: failed.error, retry: () => void failed.refetch() };
};

function read<Row>(pages: readonly Answer<Page<Row>>[]): Read<Row> {
  return {
    rows: pages.flatMap(({ data }) => data?.rows ?? []),
    next: pages.at(-1)?.data?.next,
    isReading: pages.some(({ isPending }) => isPending),
    problem: problemOf(pages),
  };
}

/** How many alarms each element has: asked for a page of elements at a time. */
function numbersByElement(
  pages: readonly { ids: readonly string[]; counts: UseQueryResult<AlarmObjectSummary[]> }[],
): Known["numbers"] {
  const known = new Map<string, Numbers>();
  for (const { ids, counts } of pages) {
    const of = alarmCountsOf(counts);
    for (const id of ids) known.set(id, of(id));
  }
  return (id) => known.get(id) ?? "READING";
}

/** Elements of the sites that are open, and how many alarms they have: two requests a page. */
function useElements(sites: readonly string[], further: Further) {
  const asked = sites.flatMap((site) => markersOf(further, site).map((marker) => ({ site, marker })));
  const pages = useQueries({
    queries: asked.map(({ site, marker }) =>
      q.elements({ filter: elementsAt(site), sort: "name", nextpage_opaque_marker: marker }),
    ),
  });
  const ids = pages.map(({ data }) => (data?.rows ?? []).map(({ id }) => id));
  const counts = useQueries({
    queries: ids.map((each) => ({
      ...q.alarmCounts({ managedObjectId: each.join(",") }),
      enabled: each.length > 0,
    })),
  });
  const elements = new Map<string, Read<NetworkElement>>(
    sites.map((site) => [site, read(pages.filter((_page, index) => asked[index]?.site === site))]),
  );
  const numbers = numbersByElement(counts.map((each, index) => ({ ids: ids[index] ?? [], counts: each })));
  return { elements, numbers };
}

/** Equipment of the elements that are open, and how many alarms its parts have. */
function useParts(elementIds: readonly string[]): Known["parts"] {
  const equipment = useQueries({ queries: elementIds.map((id) => q.equipment(id)) });
  const counts = useQueries({ queries: elementIds.map((id) => networkQueries.parts(id)) });
  return new Map(
    elementIds.flatMap((id, index) => {
      const [parts, counted] = [equipment[index], counts[index]];
      if (!parts || !counted) return [];
      const { data = [], isPending } = parts;
      const list = { rows: data, next: undefined, isReading: isPending, problem: problemOf([parts]) };
      return [[id, { equipment: list, numbers: numbersOf(counted) }] as const];
    }),
  );
}

/** What the tree shows, level by level: of what is not open nothing is asked for. */
export function useKnown(open: ReadonlySet<string>, further: Further): Known {
  const all = useQuery(networkQueries.alarms("NETWORK_ELEMENT"));
  const sites = read(
    useQueries({ queries: markersOf(further, NETWORK).map((marker) => networkQueries.sites(marker)) }),
  );
  const opened = sites.rows.filter((site) => site.elements > 0 && open.has(siteKey(site))).map(siteKey);
  const { elements, numbers } = useElements(opened, further);
  const found = [...elements.values()].flatMap(({ rows }) => rows.map(({ id }) => id));
  const parts = useParts(found.filter((id) => open.has(id)));
  return { network: all.data ?? (all.isError ? "UNKNOWN" : "READING"), sites, elements, numbers, parts };
}
