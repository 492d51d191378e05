import { t } from "@lingui/core/macro";
import type { UseQueryResult } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import type { Page } from "@/api/client";
import type { ListView } from "@/ui/listView";

interface Props<Row> {
  page: UseQueryResult<Page<Row>>;
  view: Pick<ListView, "after">;
  /** So many rows, as people call them: "2 alarms". */
  counted: (rows: number) => string;
}

/** How many rows a page of the server has, and whether they are all. */
export function PageCount<Row>({ page, view, counted }: Props<Row>) {
  // Of the rows that are drawn, which come later than they are read.
  const data = useDeferredValue(page.data);
  const rows = data && counted(data.rows.length);
  const isPart = data?.next !== undefined || view.after !== undefined;
  return (
    <span role="status" className="vm-quiet vm-number">
      {rows && (isPart ? t`${rows} on this page` : t`${rows} in total`)}
    </span>
  );
}
