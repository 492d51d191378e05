import { useAddress } from "@/ui/address";
import { PAGE, SIZE, sizeOf, sizeText, sortOf, textOf, whole } from "@/ui/listView";

export interface TableSort {
  column: number;
  direction: "asc" | "desc";
}

/** Name of a column in the address. */
const keyOf = (title: string): string => title.toLowerCase().replaceAll(" ", "-");

interface Titled {
  title: string;
  sort?: unknown;
}

/** The address holds what differs from the defaults. `name` distinguishes the tables of one page. */
export function useTableView(name: string, columns: readonly Titled[], initial: TableSort | undefined) {
  const [params, setAddress] = useAddress();
  const called = (what: string): string => (name === "" ? what : `${name}.${what}`);
  const [search, sort, page, size] = [called("search"), called("sort"), called(PAGE), called(SIZE)];
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
    size: sizeOf(params.get(size)),
    resize: (next: number) => setAddress({ [size]: sizeText(next), [page]: "" }),
  };
}
