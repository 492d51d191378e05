import type { ReactNode } from "react";
import { LoadingNote } from "./LoadingNote";
import { ProblemAlert } from "./Problem";

interface Props<Row> {
  /** As `useQuery` returns it. */
  query: { data: Row[] | undefined; error: Error | null };
  loading: string;
  /** Shown instead of no rows. */
  none: ReactNode;
  level?: "h2" | "h3";
  children: (rows: Row[]) => ReactNode;
}

/** Rows that a query asks for: that they are waited for, why there are none, or themselves. */
export function LoadedRows<Row>({ query: { data, error }, loading, none, level = "h3", children }: Props<Row>) {
  if (!data) return error ? <ProblemAlert error={error} level={level} /> : <LoadingNote>{loading}</LoadingNote>;
  return data.length === 0 ? none : children(data);
}
