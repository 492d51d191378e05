import type { PointerEvent, ReactNode } from "react";

/*
 * Rows and cells of long tables. They have PatternFly's looks and not its components, which measure
 * themselves, for a tooltip where text is cut off, and draw each row twice: ADR 0034.
 */

interface RowProps {
  className?: string | undefined;
  children: ReactNode;
}
export function TableRow({ className = "", children }: RowProps) {
  return <tr className={`pf-v6-c-table__tr ${className}`}>{children}</tr>;
}

interface CellProps {
  /** The column's title, next to the cell where the table is too narrow for columns. */
  label?: string;
  /** A header cell for assistive technology: the row's own name, or that of the rows which follow, or of the column. */
  heads?: "row" | "rowgroup" | "col" | undefined;
  className?: string;
  /** Columns that it takes. */
  span?: number;
  children: ReactNode;
}
export function TableCell({ label, heads, className = "", span, children }: CellProps) {
  const props = { "data-label": label, colSpan: span, children };
  if (!heads) return <td {...props} className={`pf-v6-c-table__td ${className}`} />;
  return <th {...props} scope={heads} className={`pf-v6-c-table__th ${className}`} />;
}

/** Under the pointer, a cell that is too narrow for its text gives all of it as a tooltip. */
export function showCut({ target }: PointerEvent) {
  const cell = target instanceof Element ? target.closest<HTMLElement>("td, th") : null;
  if (!cell) return;
  if (cell.scrollWidth > cell.clientWidth + 1) cell.title = cell.innerText;
  else cell.removeAttribute("title");
}
