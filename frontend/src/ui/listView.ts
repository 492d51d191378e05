import { useLocation } from "react-router";
import { useAddress, type SetAddress } from "./address";

export const AFTER = "after";
export const PAGE = "page";
export const SIZE = "size";
const SORT = "sort";

/** Rows of a page, to choose from. */
export const SIZES = [20, 50, 100] as const;
/** Default number of rows per page. */
export const USUAL_SIZE = 50;
const MOST = 100;

export interface Sort {
  by: string;
  desc: boolean;
}

/** How a list of the server is looked at. The address holds it, so that it can be kept, sent and gone back to. */
export interface ListView {
  /** What is asked under a name; "" when nothing is. */
  get: (name: string) => string;
  /** Asks for something else, from the first page on; "" takes a name out of the address. */
  set: SetAddress;
  sort: Sort | undefined;
  /** As the API takes it. */
  sortText: string | undefined;
  sortBy: (sort: Sort) => void;
  /** Rows of a page. */
  size: number;
  resize: (rows: number) => void;
  /** The marker of the page that is shown; undefined on the first. */
  after: string | undefined;
  /** Which page, as the API takes it. */
  paging: { pageSize: number; nextpage_opaque_marker?: string };
  toFirst: () => void;
  /** To the page before; undefined on the first, and where the address was opened from elsewhere. */
  toPrevious: (() => void) | undefined;
  toNext: (marker: string) => void;
}

/** What a list is filtered by, and how that changes. */
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
/** What the address says of a size. */
export const sizeText = (rows: number): string => (rows === USUAL_SIZE ? "" : String(rows));

export function useListView(defaultSort?: Sort): ListView {
  const [params, setAddress] = useAddress();
  // The API's lists lead forwards only: the markers of the pages gone through are kept next to the address.
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
