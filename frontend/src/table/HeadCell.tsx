import { Th, type ThProps } from "@patternfly/react-table";
import { useRef } from "react";

/** A cell of a table's head. PatternFly measures one whenever its ref is another, without any at each drawing. */
export function HeadCell(props: ThProps) {
  const ref = useRef<HTMLTableCellElement>(null);
  return <Th ref={ref} {...props} />;
}
