import { Table as PatternFlyTable, TableContext, type TableProps } from "@patternfly/react-table";

/** PatternFly's own is another at each drawing, and with it each of a thousand cells would be drawn and measured anew. */
const OF_CELLS = { registerSelectableRow: () => undefined, hasAnimations: false, variant: "compact" } as const;

/** A table to read: PatternFly's default role, grid, promises arrow keys that nobody needs here. */
export function Table({ children, ...props }: Omit<TableProps, "variant">) {
  return (
    <PatternFlyTable role="table" {...props} variant={OF_CELLS.variant}>
      <TableContext value={OF_CELLS}>{children}</TableContext>
    </PatternFlyTable>
  );
}
