import type { CSSProperties, PointerEvent, ReactNode } from "react";

/*
 * Rows and cells of long tables use PatternFly's classes and not its components, which measure themselves for a
 * tooltip and render each row twice: ADR 0034.
 */

interface RowProps {
  className?: string | undefined;
  /** Depth below a row of the list, by which its first cells are indented. */
  level?: number;
  children: ReactNode;
}
export function TableRow({ className = "", level = 0, children }: RowProps) {
  if (level === 0) return <tr className={`pf-v6-c-table__tr ${className}`}>{children}</tr>;
  const style = { "--vm-level": level } as CSSProperties;
  return (
    <tr className={`pf-v6-c-table__tr vm-row-below ${className}`} style={style}>
      {children}
    </tr>
  );
}

interface CellProps {
  /** The column's title stands next to the cell where the table is too narrow for columns. */
  label?: string;
  /** A header cell for assistive technology, of its row, its group of rows or its column. */
  heads?: "row" | "rowgroup" | "col" | undefined;
  className?: string;
  span?: number;
  children: ReactNode;
}
export function TableCell({ label, heads, className = "", span, children }: CellProps) {
  const props = { "data-label": label, colSpan: span, children };
  if (!heads) return <td {...props} className={`pf-v6-c-table__td ${className}`} />;
  return <th {...props} scope={heads} className={`pf-v6-c-table__th ${className}`} />;
}

/** A cell that is too narrow for its text shows all of it in a tooltip. */
export function showCut({ target }: PointerEvent) {
  const cell = target instanceof Element ? target.closest<HTMLElement>("td, th") : null;
  if (!cell) return;
  if (cell.scrollWidth > cell.clientWidth + 1) cell.title = cell.innerText;
  else cell.removeAttribute("title");
}
