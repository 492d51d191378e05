import { t } from "@lingui/core/macro";
import type { AlarmSiteSummary, AlarmSummary, Equipment, NetworkElement } from "@/api/types";
import type { Numbers } from "@/features/faults/AlarmNumbers";
import type { TreeLine } from "@/ui/RowTree";
import { rowsOf, treeOf, type TreeNode } from "@/features/elements/equipment";
import { NETWORK_FDN } from "@/api/network";
import { NO_SITE, NO_SITE_TEXT } from "@/records/siteOptions";

export interface Read<Row> {
  rows: readonly Row[];
  /** The server has more rows. */
  hasMore: boolean;
  isReading: boolean;
  /** Why rows are missing, and a function that reads them again. */
  problem: { error: unknown; retry: () => void } | undefined;
}

export interface NetworkState {
  network: AlarmSummary | "READING" | "UNKNOWN";
  sites: Read<AlarmSiteSummary>;
  /** Keys: id of an open site. */
  elements: ReadonlyMap<string, Read<NetworkElement>>;
  numbers: (elementId: string) => Numbers;
  /** Keys: id of an open element. */
  parts: ReadonlyMap<string, { equipment: Read<Equipment>; numbers: (fdn: string) => Numbers }>;
}

type What =
  /** `sites` is undefined unless all sites were read. */
  | { kind: "network"; numbers: NetworkState["network"]; sites: Totals | undefined }
  | { kind: "site"; site: AlarmSiteSummary }
  | { kind: "element"; element: NetworkElement; numbers: Numbers }
  | { kind: "part"; element: NetworkElement; node: TreeNode; numbers: Numbers }
  /** `shown` of `all` rows of the list below `of` were read; `all` is undefined if it is unknown. */
  | { kind: "more"; of: string; shown: number; all: number | undefined }
  | { kind: "problem"; error: unknown; retry: () => void }
  | { kind: "note" };

/** `opens` is the text in the address that toggles the node. */
export type Line = TreeLine & What & { opens: string };

type Totals = Pick<AlarmSiteSummary, "elements" | "unreachable" | "unknown">;

function totals({ rows, hasMore, isReading, problem }: Read<AlarmSiteSummary>): Totals | undefined {
  if (hasMore || isReading || problem) return undefined;
  const sum = (name: keyof Totals) => rows.reduce((all, row) => all + row[name], 0);
  return { elements: sum("elements"), unreachable: sum("unreachable"), unknown: sum("unknown") };
}

export const siteKey = ({ siteId }: AlarmSiteSummary): string => siteId ?? NO_SITE;

/** Networks and shelves are open at first and everything else is closed; the address holds the differences. */
const closes = (id: string): string => `-${id}`;

type Of = Pick<TreeLine, "level" | "parent">;
const leaf = { isOpen: undefined, opens: "" } as const;

/** The last line of a list that is empty, incomplete or failed. */
function endOf<Row>(
  of: string,
  { rows, hasMore, isReading, problem }: Read<Row>,
  none: string,
  all: number | undefined,
): (What & { text: string }) | undefined {
  if (problem) return { kind: "problem", text: t`Could not be loaded`, ...problem };
  if (isReading) return { kind: "note", text: t`Loading…` };
  if (hasMore) return { kind: "more", text: t`Show more`, of, shown: rows.length, all };
  return rows.length === 0 ? { kind: "note", text: none } : undefined;
}

function group<Row>(
  of: string,
  list: Read<Row>,
  { level, parent }: Of,
  none: string,
  all: number | undefined,
  each: (row: Row, base: Pick<TreeLine, "level" | "parent" | "place" | "siblings">) => Line[],
): Line[] {
  const end = endOf(of, list, none, all);
  const siblings = list.rows.length + (end ? 1 : 0);
  const lines = list.rows.flatMap((row, index) => each(row, { level, parent, place: index + 1, siblings }));
  // The line has the same id in all states, so that it keeps the focus after "Show more" or "Try again".
  return end ? [...lines, { ...end, ...leaf, id: `${of} end`, level, parent, place: siblings, siblings }] : lines;
}

/** Shelves are open unless the address closes them; other parts are closed unless it opens them. */
function partsOpen(parts: readonly Equipment[], open: ReadonlySet<string>): Set<string> {
  const shelves = parts.filter(({ equipmentClass }) => equipmentClass === "CHASSIS").map(({ fdn }) => fdn);
  return new Set([...open, ...shelves.filter((fdn) => !open.has(closes(fdn)))]);
}

function partLines(element: NetworkElement, known: NetworkState, open: ReadonlySet<string>, level: number): Line[] {
  const { id } = element;
  const found = known.parts.get(id);
  if (!found) return [];
  const { equipment, numbers } = found;
  const opened = partsOpen(equipment.rows, open);
  const [root] = treeOf(element, equipment.rows).children;
  const none =
    element.state === "MANAGED"
      ? t`No equipment yet: the first resync reads it.`
      : t`No equipment: this element is not managed.`;
  const children = { ...equipment, rows: root?.children ?? [] };
  return group(id, children, { level, parent: id }, none, undefined, (child, base) =>
    rowsOf(child, opened, base).map((row): Line => {
      const { node, isOpen } = row;
      const opens = node.part?.equipmentClass === "CHASSIS" ? closes(node.fdn) : node.fdn;
      // Two elements with the same management address give their parts the same FDNs.
      const own = { id: `${id} ${row.id}`, parent: row.parent === id ? id : `${id} ${row.parent ?? ""}` };
      return { ...row, ...own, kind: "part", element, isOpen, opens, numbers: numbers(node.fdn) };
    }),
  );
}

function elementLines(site: AlarmSiteSummary, known: NetworkState, open: ReadonlySet<string>): Line[] {
  const of = siteKey(site);
  const list = known.elements.get(of);
  if (!list) return [];
  return group(of, list, { level: 3, parent: of }, t`No elements.`, site.elements, (element, base) => {
    const isOpen = open.has(element.id);
    const numbers = known.numbers(element.id);
    return [
      { kind: "element", id: element.id, text: element.name, opens: element.id, isOpen, element, numbers, ...base },
      ...(isOpen ? partLines(element, known, open, 4) : []),
    ];
  });
}

export function linesOf(known: NetworkState, open: ReadonlySet<string>): Line[] {
  const isOpen = !open.has(closes(NETWORK_FDN));
  const top = { level: 1, parent: undefined, place: 1, siblings: 1, text: t`Network`, isOpen };
  const what = { numbers: known.network, sites: totals(known.sites) };
  const network: Line = { kind: "network", id: NETWORK_FDN, opens: closes(NETWORK_FDN), ...what, ...top };
  if (!isOpen) return [network];
  const none = t`No sites or elements yet.`;
  return [
    network,
    ...group(NETWORK_FDN, known.sites, { level: 2, parent: NETWORK_FDN }, none, undefined, (site, base): Line[] => {
      const id = siteKey(site);
      const opened = site.elements === 0 ? undefined : open.has(id);
      const text = site.siteId === null ? NO_SITE_TEXT : site.siteName;
      return [
        { kind: "site", id, text, opens: id, isOpen: opened, site, ...base },
        ...(opened ? elementLines(site, known, open) : []),
      ];
    }),
  ];
}
