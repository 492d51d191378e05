import { useLocation } from "react-router";
import { useAddress, type SetAddress } from "./address";

export const AFTER = "after";
export const PAGE = "page";
export const SIZE = "size";
const SORT = "sort";

/** Rows per page that a user can choose. */
export const SIZES = [20, 50, 100] as const;
/** Rows per page by default. */
export const USUAL_SIZE = 50;
const MOST = 100;

export interface Sort {
  by: string;
  desc: boolean;
}

/** The address holds sorting, filters and page, so that users can bookmark, send and go back to it. */
export interface ListView {
  /** Returns the value of a filter, or "". */
  get: (name: string) => string;
  /** Any change leads to the first page; "" removes a name from the address. */
  set: SetAddress;
  sort: Sort | undefined;
  /** The API's `sort` parameter. */
  sortText: string | undefined;
  sortBy: (sort: Sort) => void;
  /** Rows per page. */
  size: number;
  resize: (rows: number) => void;
  /** The marker of the shown page; undefined on the first. */
  after: string | undefined;
  /** The API's parameters of the page. */
  paging: { pageSize: number; nextpage_opaque_marker?: string };
  toFirst: () => void;
  /** Undefined on the first page, and where the user did not come from the page before. */
  toPrevious: (() => void) | undefined;
  toNext: (marker: string) => void;
}

export type FilterView = Pick<ListView, "get" | "set">;

const trailOf = (state: unknown): string[] => {
  const trail = (state as { trail?: unknown } | null)?.trail;
  return Array.isArray(trail) ? trail.map(String) : [];
};

export const sortOf = (text: string): Sort | undefined =>
  text === "" ? undefined : { by: text.replace(/^-/, ""), desc: text.startsWith("-") };
export const textOf = ({ by, desc }: Sort): string => (desc ? `-${by}` : by);

export const whole = (text: string | null, usual: number): number => {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : usual;
};
export const sizeOf = (text: string | null): number => Math.min(MOST, whole(text, USUAL_SIZE));
/** The default size is left out of the address. */
export const sizeText = (rows: number): string => (rows === USUAL_SIZE ? "" : String(rows));

export function useListView(defaultSort?: Sort): ListView {
  const [params, setAddress] = useAddress();
  // The API's lists only lead forward, so the browser's history keeps the markers of earlier pages.
  const trail = trailOf(useLocation().state as unknown);
  const after = params.get(AFTER) ?? undefined;
  const size = sizeOf(params.get(SIZE));

  const move = (marker: string, next: string[]) => setAddress({ [AFTER]: marker }, { state: { trail: next } });
  const set: SetAddress = (changes, how) => setAddress({ [AFTER]: "", [PAGE]: "", ...changes }, how);
  const sort = sortOf(params.get(SORT) ?? "") ?? defaultSort;
  const usual = defaultSort && textOf(defaultSort);
  return {
    get: (name) => params.get(name) ?? "",
    set,
    sort,
    sortText: sort && textOf(sort),
    sortBy: (wanted) => set({ [SORT]: textOf(wanted) === usual ? "" : textOf(wanted) }),
    size,
    resize: (rows) => set({ [SIZE]: sizeText(rows) }),
    after,
    paging: { pageSize: size, ...(after === undefined ? {} : { nextpage_opaque_marker: after }) },
    toFirst: () => move("", []),
    toPrevious:
      after === undefined || trail.length === 0 ? undefined : () => move(trail.at(-1) ?? "", trail.slice(0, -1)),
    toNext: (marker) => move(marker, [...trail, after ?? ""]),
  };
}
