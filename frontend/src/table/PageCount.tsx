import { t } from "@lingui/core/macro";
import type { UseQueryResult } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import type { Page } from "@/api/client";
import type { ListView } from "@/ui/listView";

interface Props<Row> {
  page: UseQueryResult<Page<Row>>;
  view: Pick<ListView, "after">;
  /** "2 alarms" */
  counted: (rows: number) => string;
}

export function PageCount<Row>({ page, view, counted }: Props<Row>) {
  // The count belongs to the rows on the screen, which are drawn later than they are read.
  const data = useDeferredValue(page.data);
  const rows = data && counted(data.rows.length);
  const isPart = data?.next !== undefined || view.after !== undefined;
  return (
    <span role="status" className="vm-quiet vm-number">
      {rows && (isPart ? t`${rows} on this page` : t`${rows} in total`)}
    </span>
  );
}
