import { Table as PatternFlyTable, TableContext, type TableProps } from "@patternfly/react-table";

/**
 * PatternFly's own context value changes at each render, which would render and measure each of a thousand cells
 * again.
 */
const OF_CELLS = { registerSelectableRow: () => undefined, hasAnimations: false, variant: "compact" } as const;

/** PatternFly's default role, grid, would need arrow keys. */
export function Table({ children, ...props }: Omit<TableProps, "variant">) {
  return (
    <PatternFlyTable role="table" {...props} variant={OF_CELLS.variant}>
      <TableContext value={OF_CELLS}>{children}</TableContext>
    </PatternFlyTable>
  );
}
