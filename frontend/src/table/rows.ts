import { useAddress } from "@/ui/address";
import { PAGE, sortOf, textOf } from "@/ui/listView";

export interface TableSort {
  column: number;
  direction: "asc" | "desc";
}

/** Default number of rows per page. */
export const USUAL_SIZE = 50;
const MOST = 100;

const whole = (text: string | null, usual: number): number => {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : usual;
};
/** What the address calls a column. */
const keyOf = (title: string): string => title.toLowerCase().replaceAll(" ", "-");

interface Titled {
  title: string;
  sort?: unknown;
}

/**
 * How a table over rows already fetched is looked at; the address holds it, but for what is as by default. `name` tells the
 * tables of one page apart.
 */
export function useTableView(name: string, columns: readonly Titled[], initial: TableSort | undefined) {
  const [params, setAddress] = useAddress();
  const called = (what: string): string => (name === "" ? what : `${name}.${what}`);
  const [search, sort, page, size] = [called("search"), called("sort"), called(PAGE), called("size")];
  const wanted = sortOf(params.get(sort) ?? "");
  const found = columns.findIndex((column) => column.sort && keyOf(column.title) === wanted?.by);
  const asked: TableSort | undefined =
    wanted && found >= 0 ? { column: found, direction: wanted.desc ? "desc" : "asc" } : initial;
  return {
    search: params.get(search) ?? "",
    find: (text: string) => setAddress({ [search]: text, [page]: "" }, { typing: true }),
    sort: asked,
    sortBy: ({ column, direction }: TableSort) => {
      const usual = column === initial?.column && direction === initial.direction;
      const by = keyOf(columns[column]?.title ?? "");
      setAddress({ [sort]: usual ? "" : textOf({ by, desc: direction === "desc" }) });
    },
    page: whole(params.get(page), 1),
    toPage: (next: number) => setAddress({ [page]: next === 1 ? "" : String(next) }),
    size: Math.min(MOST, whole(params.get(size), USUAL_SIZE)),
    resize: (next: number) => setAddress({ [size]: next === USUAL_SIZE ? "" : String(next), [page]: "" }),
  };
}
