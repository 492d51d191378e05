import {
  EmptyState,
  EmptyStateBody,
  Pagination,
  SearchInput,
  Toolbar,
  ToolbarContent,
  ToolbarItem,
} from "@patternfly/react-core";
import SearchIcon from "@patternfly/react-icons/dist/esm/icons/search-icon";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { memo, startTransition, useDeferredValue, useMemo, useState, type ReactNode } from "react";
import { Table } from "@/ui/Table";

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** What to sort by; a column without it is not sortable. */
  sort?: (row: Row) => string | number;
  /** The row's own name: a header cell for assistive technology. */
  isName?: boolean;
  width?: 10 | 15 | 20 | 25 | 30 | 35 | 40;
}

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** The text a search looks through; without it there is no search box. */
  searchText?: (row: Row) => string;
  /** What it looks for at first. */
  initialSearch?: string;
  filters?: ReactNode;
  /** What to say when no row is left. */
  none?: string;
  initialSort?: { column: number; direction: "asc" | "desc" };
  rowClass?: (row: Row) => string | undefined;
}

const PAGE = 50;

/** Made once: `localeCompare` makes one for every two of thousands of rows. */
const COLLATOR = new Intl.Collator(undefined, { numeric: true });

function compare(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return COLLATOR.compare(String(a), String(b));
}

interface BodyProps<Row> extends Pick<Props<Row>, "columns" | "rowKey" | "rowClass"> {
  rows: readonly Row[];
}

function BodyOf<Row>({ rows, columns, rowKey, rowClass }: BodyProps<Row>) {
  return (
    <Tbody>
      {rows.map((row) => (
        <Tr key={rowKey(row)} className={rowClass?.(row)}>
          {columns.map((column) => {
            const Cell = column.isName ? Th : Td;
            return (
              <Cell key={column.title} dataLabel={column.title} {...(column.isName ? { scope: "row" } : {})}>
                {column.cell(row)}
              </Cell>
            );
          })}
        </Tr>
      ))}
    </Tbody>
  );
}
const Body = memo(BodyOf) as typeof BodyOf;

/** A compact table with search, sorting and paging over rows already fetched. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, rows, columns, rowKey, searchText, filters, none = "Nothing matches", rowClass } = props;
  const [text, setText] = useState(props.initialSearch ?? "");
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(PAGE);
  const [sort, setSort] = useState(props.initialSort);
  // What was typed or pressed shows at once; the rows follow when they are found.
  const asked = useDeferredValue(text);

  const found = useMemo(() => {
    const wanted = asked.trim().toLowerCase();
    const kept =
      wanted && searchText ? rows.filter((row) => searchText(row).toLowerCase().includes(wanted)) : [...rows];
    const by = sort && columns[sort.column]?.sort;
    if (!by) return kept;
    const sign = sort.direction === "asc" ? 1 : -1;
    return kept.sort((a, b) => sign * compare(by(a), by(b)));
  }, [rows, columns, sort, asked, searchText]);
  const last = Math.max(1, Math.ceil(found.length / size));
  const shown = Math.min(page, last);
  const visible = useMemo(() => found.slice((shown - 1) * size, shown * size), [found, shown, size]);
  const asks = Boolean(searchText ?? filters);

  return (
    <>
      {(asks || found.length > PAGE) && (
        <Toolbar className="vm-toolbar" aria-label={`${label}: ${asks ? "filters" : "pages"}`}>
          <ToolbarContent>
            {searchText && (
              <ToolbarItem>
                <SearchInput
                  aria-label={`Search ${label}`}
                  placeholder="Search"
                  value={text}
                  onChange={(_event, value) => {
                    setText(value);
                    setPage(1);
                  }}
                  onClear={() => setText("")}
                />
              </ToolbarItem>
            )}
            {filters}
            {found.length > PAGE && (
              <ToolbarItem align={{ default: "alignEnd" }}>
                <Pagination
                  isCompact
                  itemCount={found.length}
                  page={shown}
                  perPage={size}
                  onSetPage={(_event, next) => startTransition(() => setPage(next))}
                  onPerPageSelect={(_event, next) => setSize(next)}
                />
              </ToolbarItem>
            )}
          </ToolbarContent>
        </Toolbar>
      )}
      <div className="vm-wide">
        <Table aria-label={label}>
          <Thead>
            <Tr>
              {columns.map((column, index) => (
                <Th
                  key={column.title}
                  modifier="nowrap"
                  {...(column.width ? { width: column.width } : {})}
                  {...(column.sort
                    ? {
                        sort: {
                          columnIndex: index,
                          sortBy: sort ? { index: sort.column, direction: sort.direction } : {},
                          onSort: (_event, _index, direction) =>
                            startTransition(() => setSort({ column: index, direction })),
                        },
                      }
                    : {})}
                >
                  {column.title}
                </Th>
              ))}
            </Tr>
          </Thead>
          <Body rows={visible} {...{ columns, rowKey, rowClass }} />
        </Table>
      </div>
      {visible.length === 0 && (
        <EmptyState titleText={none} headingLevel="h2" icon={SearchIcon} variant="sm">
          <EmptyStateBody>Loosen the search or the filters.</EmptyStateBody>
        </EmptyState>
      )}
    </>
  );
}
