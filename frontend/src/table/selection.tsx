import { memo, useCallback, useEffect, useRef, type ReactNode } from "react";
import { TableCell } from "./Cells";

export interface Choice {
  chosen: ReadonlySet<string>;
  choose: (ids: ReadonlySet<string>) => void;
}

export interface Selection<Row> extends Choice {
  /** Labels the box of a row for screen readers. */
  nameOf: (row: Row) => string;
}

/** The returned function stays the same when the selection changes, so that rows need not render. */
export function useChoose(choice: Choice | undefined): (key: string, on: boolean) => void {
  const latest = useRef(choice);
  useEffect(() => {
    latest.current = choice;
  });
  return useCallback((key, on) => {
    if (!latest.current) return;
    const next = new Set(latest.current.chosen);
    if (on) next.add(key);
    else next.delete(key);
    latest.current.choose(next);
  }, []);
}

interface CellsProps<Row> {
  row: Row;
  columns: readonly {
    title: string;
    isName?: boolean;
    isMinor?: boolean;
    isWhole?: boolean;
    width?: number;
    cell: (row: Row) => ReactNode;
  }[];
}

/** Apart from the selection, so that selecting a hundred rows renders none of their cells. */
function CellsOf<Row>({ row, columns }: CellsProps<Row>) {
  return (
    <>
      {columns.map(({ title, isName, isMinor = false, isWhole = false, width, cell }) => (
        <TableCell
          key={title}
          label={title}
          heads={isName ? "row" : undefined}
          className={`${width === undefined ? "" : "vm-elastic"} ${isMinor ? "vm-minor" : ""}${isWhole ? " vm-whole" : ""}`}
        >
          {cell(row)}
        </TableCell>
      ))}
    </>
  );
}
export const RowCells = memo(CellsOf) as typeof CellsOf;
