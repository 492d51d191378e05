import { Th, type ThProps } from "@patternfly/react-table";
import { useRef } from "react";

/** PatternFly measures a header cell whenever its ref changes, and at each render if it has no ref. */
export function HeadCell(props: ThProps) {
  const ref = useRef<HTMLTableCellElement>(null);
  return <Th ref={ref} {...props} />;
}
