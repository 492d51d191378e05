import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, EmptyState, EmptyStateBody, FormSelect, FormSelectOption } from "@patternfly/react-core";
import AngleDoubleLeftIcon from "@patternfly/react-icons/dist/esm/icons/angle-double-left-icon";
import AngleDownIcon from "@patternfly/react-icons/dist/esm/icons/angle-down-icon";
import AngleLeftIcon from "@patternfly/react-icons/dist/esm/icons/angle-left-icon";
import AngleRightIcon from "@patternfly/react-icons/dist/esm/icons/angle-right-icon";
import SearchIcon from "@patternfly/react-icons/dist/esm/icons/search-icon";
import { Tbody, Thead, Tr } from "@patternfly/react-table";
import type { UseQueryResult } from "@tanstack/react-query";
import { Fragment, memo, useDeferredValue, useState, type ReactNode } from "react";
import type { Page } from "@/api/client";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { Table } from "@/ui/Table";
import { showCut, TableCell, TableRow } from "./Cells";
import { ChooseAllCell, ChooseCell } from "./ChooseCell";
import type { Column } from "./DataTable";
import { HeadCell } from "./HeadCell";
import { PageCount } from "./PageCount";
import { RowCells, useChoose, type Selection } from "./selection";
import { useColumns, useDensity } from "./useTableOptions";
import { SIZES, USUAL_SIZE, type ListView } from "@/ui/listView";

export interface ServerColumn<Row> extends Omit<Column<Row>, "sort"> {
  /** The API's name in `sort`; a column without it cannot be sorted. */
  sortBy?: string;
  /** The first click sorts in descending order. */
  descFirst?: boolean;
  /** The details of a row contain this value, so the column is hidden next to them. */
  isMinor?: boolean;
  /** Text in this column is never cut off. */
  isWhole?: boolean;
}

interface Props<Row> {
  label: string;
  /** "2 alarms"; lists with a `PageCount` above them need none. */
  counted?: (rows: number) => string;
  page: UseQueryResult<Page<Row>>;
  columns: readonly ServerColumn<Row>[];
  rowKey: (row: Row) => string;
  view: ListView;
  /** Replaces the table if it has no rows and "Nothing matches" is not enough. */
  empty?: ReactNode;
  selection?: Selection<Row> | undefined;
  rowClass?: (row: Row) => string | undefined;
  /** Neighbouring rows with the same key share a heading, so the list must be sorted by that key. */
  group?: { keyOf: (row: Row) => string; heading: (row: Row) => ReactNode } | undefined;
  /** The rows that a row opens to. */
  details?: RowDetails<Row> | undefined;
}

export interface RowDetails<Row> {
  /** Name of the button that opens a row. */
  label: (row: Row) => string;
  has: (row: Row) => boolean;
  /** Loads the rows below a row: `line` draws one in the columns of the table, `note` anything else. */
  Rows: (props: DetailRowsProps<Row>) => ReactNode;
}
export interface DetailRowsProps<Row> {
  row: Row;
  line: (row: Row) => ReactNode;
  note: (content: ReactNode) => ReactNode;
}

const widthOf = <Row,>({ columns, selection, details }: Props<Row>): number =>
  columns.length + (selection ? 1 : 0) + (details ? 1 : 0);

/** The server filters, sorts and pages this list. */
export function ServerTable<Row>(props: Props<Row>) {
  const { page, empty, label, view, rowKey, selection, details } = props;
  const columns = useColumns(label, props.columns).shown;
  const [density] = useDensity();
  const choose = useChoose(selection);
  // The page reacts to a click first and draws the rows afterwards.
  const shown = useDeferredValue(page.data);
  const waits = page.isPlaceholderData || shown !== page.data;
  if (page.isError && !page.data) return <ProblemAlert error={page.error} level="h2" />;
  if (!shown)
    return (
      <LoadingNote>
        <Trans>Loading the list…</Trans>
      </LoadingNote>
    );
  const { rows, next } = shown;
  const nothing = rows.length === 0;
  if (nothing && empty && !waits && view.after === undefined) return empty;
  return (
    <>
      <div
        className={`vm-scroll vm-rows-${density}${waits ? " vm-waiting" : ""}`}
        aria-busy={waits}
        onPointerOver={showCut}
      >
        <Table aria-label={label}>
          <Head {...props} {...{ columns, rows }} />
          <Tbody>
            {rows.map((row, index) => (
              <Fragment key={rowKey(row)}>
                <GroupHead {...props} row={row} before={rows[index - 1]} />
                <Line
                  {...{ row, columns, details, rowKey }}
                  level={0}
                  isChosen={selection?.chosen.has(rowKey(row))}
                  onChoose={(on) => choose(rowKey(row), on)}
                  name={selection?.nameOf(row) ?? ""}
                  rowClass={props.rowClass}
                  width={widthOf(props)}
                />
              </Fragment>
            ))}
          </Tbody>
        </Table>
      </div>
      {nothing && (
        <EmptyState titleText={t`Nothing matches`} headingLevel="h2" icon={SearchIcon} variant="sm">
          <EmptyStateBody>
            <Trans>Change the search or the filters.</Trans>
          </EmptyStateBody>
        </EmptyState>
      )}
      <Pager view={view} next={next}>
        {props.counted && <PageCount page={page} view={view} counted={props.counted} />}
      </Pager>
    </>
  );
}

function GroupHead<Row>(props: Props<Row> & { row: Row; before: Row | undefined }) {
  const { group, row, before } = props;
  if (!group || (before !== undefined && group.keyOf(before) === group.keyOf(row))) return null;
  return (
    <TableRow className="vm-group-row">
      <TableCell heads="rowgroup" span={widthOf(props)}>
        {group.heading(row)}
      </TableCell>
    </TableRow>
  );
}

function Head<Row>({ columns, view, selection, details, rows, rowKey }: Props<Row> & { rows: readonly Row[] }) {
  const { sort } = view;
  const sorted = columns.findIndex(({ sortBy }) => sortBy !== undefined && sortBy === sort?.by);
  const all = rows.length > 0 && rows.every((row) => selection?.chosen.has(rowKey(row)));
  return (
    <Thead>
      <Tr>
        {selection && (
          <ChooseAllCell isChosen={all} onChoose={(on) => selection.choose(new Set(on ? rows.map(rowKey) : []))} />
        )}
        {details && <HeadCell className="vm-angle-cell" screenReaderText={t`Consequences`} />}
        {columns.map(({ title, width, isMinor, sortBy, descFirst = false }, index) => (
          <HeadCell
            key={title}
            modifier="nowrap"
            {...(isMinor ? { className: "vm-minor" } : {})}
            {...(width ? { width } : {})}
            {...(sortBy
              ? {
                  sort: {
                    columnIndex: index,
                    sortBy: {
                      ...(sorted >= 0 ? { index: sorted, direction: sort?.desc ? "desc" : "asc" } : {}),
                      defaultDirection: descFirst ? "desc" : "asc",
                    } as const,
                    onSort: (_event, _index, direction) =>
                      view.sortBy({ by: sortBy, desc: direction.valueOf() === "desc" }),
                  },
                }
              : {})}
          >
            {title}
          </HeadCell>
        ))}
      </Tr>
    </Thead>
  );
}

interface LineProps<Row> extends Pick<Props<Row>, "columns" | "details" | "rowKey" | "rowClass"> {
  row: Row;
  /** 0 for a row of the list, 1 for a row that it opens to, and so on. */
  level: number;
  /** Undefined where rows cannot be chosen. */
  isChosen: boolean | undefined;
  onChoose: (on: boolean) => void;
  name: string;
  /** Number of columns in the whole table. */
  width: number;
}

/** Only rows of the list can be chosen: those that they open to may be on another page, too. */
function LineChoice<Row>({ level, name, isChosen, onChoose }: LineProps<Row>) {
  if (isChosen === undefined) return null;
  if (level > 0) return <TableCell className="pf-v6-c-table__check">{null}</TableCell>;
  return <ChooseCell {...{ name, isChosen, onChoose }} />;
}

function RowOf<Row>(props: LineProps<Row>) {
  const { row, level, columns, details, rowKey, rowClass, width } = props;
  const [open, setOpen] = useState(false);
  const line = (
    <TableRow className={rowClass?.(row)} level={level}>
      <LineChoice {...props} />
      {details && (
        <TableCell className="vm-angle-cell">
          {details.has(row) && (
            <Button
              variant="plain"
              size="sm"
              aria-expanded={open}
              aria-label={details.label(row)}
              icon={open ? <AngleDownIcon /> : <AngleRightIcon />}
              onClick={() => setOpen(!open)}
            />
          )}
        </TableCell>
      )}
      <RowCells row={row} columns={columns} />
    </TableRow>
  );
  if (!details?.has(row) || !open) return line;
  return (
    <>
      {line}
      <details.Rows
        row={row}
        line={(child) => <Line key={rowKey(child)} {...props} row={child} level={level + 1} />}
        note={(content) => (
          <TableRow className="vm-details-row">
            <TableCell span={width}>{content}</TableCell>
          </TableRow>
        )}
      />
    </>
  );
}

/** Only changed rows render; all other props of a row derive from these. */
const Line = memo(
  RowOf,
  (before, after) =>
    before.row === after.row &&
    before.columns === after.columns &&
    before.details === after.details &&
    before.isChosen === after.isChosen,
) as typeof RowOf;

function SizeChoice({ size, resize }: Pick<ListView, "size" | "resize">) {
  // The address may contain another size.
  const sizes = [...new Set([...SIZES, size])].sort((a, b) => a - b);
  return (
    <FormSelect aria-label={t`Rows per page`} value={size} onChange={(_event, rows) => resize(Number(rows))}>
      {sizes.map((rows) => (
        <FormSelectOption key={rows} value={rows} label={t`${rows} per page`} />
      ))}
    </FormSelect>
  );
}

interface MovesProps {
  view: ListView;
  next: string | undefined;
}
function PageButtons({ view: { after, toFirst, toPrevious, toNext }, next }: MovesProps) {
  return (
    <>
      <Button
        variant="plain"
        aria-label={t`First page`}
        isDisabled={!after}
        onClick={toFirst}
        icon={<AngleDoubleLeftIcon />}
      />
      <Button
        variant="plain"
        aria-label={t`Previous page`}
        isDisabled={!toPrevious}
        onClick={toPrevious}
        icon={<AngleLeftIcon />}
      />
      <Button
        variant="plain"
        aria-label={t`Next page`}
        isDisabled={next === undefined}
        onClick={() => next !== undefined && toNext(next)}
        icon={<AngleRightIcon />}
      />
    </>
  );
}

/** Keyset paging has no page numbers. */
function Pager({ view, next, children }: MovesProps & { children: ReactNode }) {
  const isPart = next !== undefined || view.after !== undefined;
  const hasWays = isPart || view.size !== USUAL_SIZE;
  if (!hasWays && !children) return null;
  return (
    <nav className="vm-pager" aria-label={t`Pages`}>
      {children}
      {hasWays && (
        <span className="vm-buttons">
          <SizeChoice {...view} />
          {isPart && <PageButtons view={view} next={next} />}
        </span>
      )}
    </nav>
  );
}
