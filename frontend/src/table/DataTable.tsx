import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, EmptyState, EmptyStateBody, Pagination, SearchInput } from "@patternfly/react-core";
import DownloadIcon from "@patternfly/react-icons/dist/esm/icons/download-icon";
import SearchIcon from "@patternfly/react-icons/dist/esm/icons/search-icon";
import { Tbody, Thead, Tr } from "@patternfly/react-table";
import { memo, useDeferredValue, useMemo, type ReactNode } from "react";
import { csvOf } from "@/ui/csv";
import { download } from "@/ui/download";
import { number } from "@/ui/format";
import { SIZES, USUAL_SIZE, type ListView } from "@/ui/listView";
import { Table } from "@/ui/Table";
import { showCut, TableRow } from "./Cells";
import { ChooseAllCell, ChooseCell } from "./ChooseCell";
import { HeadCell } from "./HeadCell";
import { ListBar, type FilterField } from "./ListBar";
import { TableOptions } from "./TableOptions";
import { RowCells, useChoose, type Selection } from "./selection";
import { useColumns, useDensity } from "./useTableOptions";
import { useTableView, type TableSort } from "./rows";
import { useDebouncedText } from "./useDebouncedText";

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** A column without this cannot be sorted. */
  sort?: (row: Row) => string | number;
  /** This column names the row and is a header cell for assistive technology. */
  isName?: boolean;
  /** The column is hidden unless the user wants it. */
  isOptional?: boolean;
  /** An optional column is shown from this width of the window on, in pixels. */
  from?: number;
  /** Per cent of the table. Columns with a width are cut off first where space is short. */
  width?: 10 | 15 | 20 | 25 | 30 | 35 | 40 | 60;
}

interface Props<Row> {
  label: string;
  /** Distinguishes several tables of one page in the address. */
  name?: string;
  rows: readonly Row[];
  /** More rows are still being read. */
  isPart?: boolean;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** Gives the text to search; without it there is no search box. */
  searchText?: (row: Row) => string;
  /** The address holds the values of these filters. */
  filters?: { view: ListView; fields: readonly FilterField[] };
  /** Further controls at the end of the line above the list. */
  end?: ReactNode;
  /** Text of an empty table. */
  none?: string;
  initialSort?: TableSort;
  selection?: Selection<Row> | undefined;
  rowClass?: (row: Row) => string | undefined;
}

/** `localeCompare` would make a collator for each pair of thousands of rows. */
const COLLATOR = new Intl.Collator(undefined, { numeric: true });

function compare(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return COLLATOR.compare(String(a), String(b));
}

function countText(found: number, all: number, isPart: boolean): string {
  if (isPart) return t`${number(found)} so far`;
  return found === all ? t`${number(all)} in total` : t`${number(found)} of ${number(all)}`;
}

/** The file contains the values by which columns are sorted. */
function csvText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const known = columns.flatMap(({ title, sort }) => (sort ? [{ title, of: sort }] : []));
  return csvOf([known.map(({ title }) => title), ...rows.map((row) => known.map(({ of }) => of(row)))]);
}

interface BodyProps<Row> extends Pick<Props<Row>, "columns" | "rowKey" | "rowClass" | "selection"> {
  rows: readonly Row[];
  choose: (key: string, on: boolean) => void;
}

function BodyOf<Row>({ rows, columns, rowKey, rowClass, selection, choose }: BodyProps<Row>) {
  return (
    <Tbody>
      {rows.map((row) => (
        <TableRow key={rowKey(row)} className={rowClass?.(row)}>
          {selection && (
            <ChooseCell
              name={selection.nameOf(row)}
              isChosen={selection.chosen.has(rowKey(row))}
              onChoose={(on) => choose(rowKey(row), on)}
            />
          )}
          <RowCells row={row} columns={columns} />
        </TableRow>
      ))}
    </Tbody>
  );
}
/** Only `rows` decides whether this renders; all other props derive from them. */
const Body = memo(
  BodyOf,
  (before, after) =>
    before.rows === after.rows &&
    before.columns === after.columns &&
    before.rowClass === after.rowClass &&
    before.selection?.chosen === after.selection?.chosen,
) as typeof BodyOf;

/** A compact table with search, sorting and paging over rows already fetched; the address holds all of that. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, rows, rowKey, searchText, filters, none = t`Nothing matches`, rowClass, selection } = props;
  const view = useTableView(props.name ?? "", props.columns, props.initialSort);
  const chosen = useColumns(label, props.columns);
  const [density] = useDensity();
  const choose = useChoose(selection);
  const { sort, size } = view;
  const [text, setText] = useDebouncedText(view.search, view.find);
  // The field shows typed text at once; the rows follow when they are found.
  const asked = useDeferredValue(text);
  const by = props.columns[sort?.column ?? -1]?.sort;
  const sign = sort?.direction === "desc" ? -1 : 1;
  const order = useMemo(() => ({ by, sign }), [by, sign]);
  // Sorting thousands of rows takes so long that the arrow in the header must not wait for it.
  const sorted = useDeferredValue(order);

  const found = useMemo(() => {
    const wanted = asked.trim().toLowerCase();
    const kept =
      wanted && searchText ? rows.filter((row) => searchText(row).toLowerCase().includes(wanted)) : [...rows];
    const { by: value, sign: direction } = sorted;
    return value ? kept.sort((a, b) => direction * compare(value(a), value(b))) : kept;
  }, [rows, sorted, asked, searchText]);
  const last = Math.max(1, Math.ceil(found.length / size));
  // A search starts on the first page even before the address contains it.
  const shown = text.trim() === view.search ? Math.min(view.page, last) : 1;
  const asking = useMemo(() => found.slice((shown - 1) * size, shown * size), [found, shown, size]);
  // The page reacts to a click first and draws the rows afterwards.
  const visible = useDeferredValue(asking);
  const columns = chosen.shown;
  const asks = Boolean(searchText ?? filters ?? props.end);

  return (
    <>
      {(asks || found.length > USUAL_SIZE) && (
        <ListBar
          label={label}
          {...filters}
          search={
            searchText && (
              <SearchInput
                className="vm-bar-search"
                aria-label={t`Search ${label}`}
                placeholder={t`Search`}
                value={text}
                onChange={(_event, value) => setText(value)}
                onClear={() => setText("")}
              />
            )
          }
          end={
            <>
              {props.end}
              <span className="vm-quiet vm-number" role="status">
                {countText(found.length, rows.length, props.isPart === true)}
              </span>
              {found.length > USUAL_SIZE && (
                <Pagination
                  isCompact
                  itemCount={found.length}
                  page={shown}
                  perPage={size}
                  perPageOptions={SIZES.map((value) => ({ title: String(value), value }))}
                  onSetPage={(_event, next) => view.toPage(next)}
                  onPerPageSelect={(_event, next) => view.resize(next)}
                />
              )}
              <Button
                variant="plain"
                aria-label={t`Export ${label} as CSV`}
                icon={<DownloadIcon />}
                onClick={() => download(`${label}.csv`, csvText(props.columns, found), "text/csv")}
              />
              <TableOptions label={label} columns={props.columns} />
            </>
          }
        />
      )}
      <div
        className={`vm-wide vm-rows-${density}`}
        aria-busy={visible !== asking || sorted !== order}
        onPointerOver={showCut}
      >
        <Table aria-label={label}>
          <Thead>
            <Tr>
              {selection && (
                <ChooseAllCell
                  isChosen={visible.length > 0 && visible.every((row) => selection.chosen.has(rowKey(row)))}
                  onChoose={(on) => selection.choose(new Set(on ? visible.map(rowKey) : []))}
                />
              )}
              {columns.map((column) => (
                <HeadCell
                  key={column.title}
                  modifier="nowrap"
                  {...(column.width ? { width: column.width } : {})}
                  {...(column.sort
                    ? {
                        sort: {
                          columnIndex: props.columns.indexOf(column),
                          sortBy: sort ? { index: sort.column, direction: sort.direction } : {},
                          onSort: (_event, index, direction) => view.sortBy({ column: index, direction }),
                        },
                      }
                    : {})}
                >
                  {column.title}
                </HeadCell>
              ))}
            </Tr>
          </Thead>
          <Body rows={visible} {...{ columns, rowKey, rowClass, selection, choose }} />
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
