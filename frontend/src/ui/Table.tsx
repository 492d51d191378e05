import { Table as PatternFlyTable, type TableProps } from "@patternfly/react-table";

/** A table to read: PatternFly's default role, grid, promises arrow keys that nobody needs here. */
export function Table(props: TableProps) {
  return <PatternFlyTable role="table" variant="compact" {...props} />;
}
