import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
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
import { Tbody, Thead, Tr } from "@patternfly/react-table";
import { memo, useDeferredValue, useMemo, type ReactNode } from "react";
import { Table } from "@/ui/Table";
import { TableCell, TableRow } from "./Cells";
import { HeadCell } from "./HeadCell";
import { USUAL_SIZE, useTableView, type TableSort } from "./rows";
import { useDebouncedText } from "./useDebouncedText";

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
  /** What the address calls it, where a page has several. */
  name?: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** The text a search looks through; without it there is no search box. */
  searchText?: (row: Row) => string;
  filters?: ReactNode;
  /** What to say when no row is left. */
  none?: string;
  initialSort?: TableSort;
  rowClass?: (row: Row) => string | undefined;
}

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
        <TableRow key={rowKey(row)} className={rowClass?.(row)}>
          {columns.map(({ title, isName, cell }) => (
            <TableCell key={title} label={title} heads={isName ? "row" : undefined}>
              {cell(row)}
            </TableCell>
          ))}
        </TableRow>
      ))}
    </Tbody>
  );
}
const Body = memo(BodyOf) as typeof BodyOf;

/** A compact table with search, sorting and paging over rows already fetched; the address holds how it is looked at. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, rows, columns, rowKey, searchText, filters, none = t`Nothing matches`, rowClass } = props;
  const view = useTableView(props.name ?? "", columns, props.initialSort);
  const { sort, size } = view;
  const [text, setText] = useDebouncedText(view.search, view.find);
  // What was typed shows at once; the rows follow when they are found.
  const asked = useDeferredValue(text);
  const column = sort?.column ?? -1;
  const sign = sort?.direction === "desc" ? -1 : 1;

  const found = useMemo(() => {
    const wanted = asked.trim().toLowerCase();
    const kept =
      wanted && searchText ? rows.filter((row) => searchText(row).toLowerCase().includes(wanted)) : [...rows];
    const by = columns[column]?.sort;
    return by ? kept.sort((a, b) => sign * compare(by(a), by(b))) : kept;
  }, [rows, columns, column, sign, asked, searchText]);
  const last = Math.max(1, Math.ceil(found.length / size));
  // What is being typed is looked for from the first page on, before the address says so.
  const shown = text.trim() === view.search ? Math.min(view.page, last) : 1;
  const asking = useMemo(() => found.slice((shown - 1) * size, shown * size), [found, shown, size]);
  // What was clicked is answered first; the rows that it asked for are drawn after that.
  const visible = useDeferredValue(asking);
  const asks = Boolean(searchText ?? filters);

  return (
    <>
      {(asks || found.length > USUAL_SIZE) && (
        <Toolbar className="vm-toolbar" aria-label={asks ? t`${label}: filters` : t`${label}: pages`}>
          <ToolbarContent>
            {searchText && (
              <ToolbarItem>
                <SearchInput
                  aria-label={t`Search ${label}`}
                  placeholder={t`Search`}
                  value={text}
                  onChange={(_event, value) => setText(value)}
                  onClear={() => setText("")}
                />
              </ToolbarItem>
            )}
            {filters}
            {found.length > USUAL_SIZE && (
              <ToolbarItem align={{ default: "alignEnd" }}>
                <Pagination
                  isCompact
                  itemCount={found.length}
                  page={shown}
                  perPage={size}
                  onSetPage={(_event, next) => view.toPage(next)}
                  onPerPageSelect={(_event, next) => view.resize(next)}
                />
              </ToolbarItem>
            )}
          </ToolbarContent>
        </Toolbar>
      )}
      <div className="vm-wide" aria-busy={visible !== asking}>
        <Table aria-label={label}>
          <Thead>
            <Tr>
              {columns.map((column, index) => (
                <HeadCell
                  key={column.title}
                  modifier="nowrap"
                  {...(column.width ? { width: column.width } : {})}
                  {...(column.sort
                    ? {
                        sort: {
                          columnIndex: index,
                          sortBy: sort ? { index: sort.column, direction: sort.direction } : {},
                          onSort: (_event, _index, direction) => view.sortBy({ column: index, direction }),
                        },
                      }
                    : {})}
                >
                  {column.title}
                </HeadCell>
              ))}
            </Tr>
          </Thead>
          <Body rows={visible} {...{ columns, rowKey, rowClass }} />
        </Table>
      </div>
      {visible.length === 0 && (
        <EmptyState titleText={none} headingLevel="h2" icon={SearchIcon} variant="sm">
          <EmptyStateBody>
            <Trans>Change the search or the filters.</Trans>
          </EmptyStateBody>
        </EmptyState>
      )}
    </>
  );
}
