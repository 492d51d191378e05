import type { ReactNode } from "react";
import { LoadingNote } from "./LoadingNote";
import { ProblemAlert } from "./Problem";

interface Props<Row> {
  /** The result of `useQuery`. */
  query: { data: Row[] | undefined; error: Error | null };
  loading: string;
  /** Shown if there are no rows. */
  none: ReactNode;
  level?: "h2" | "h3";
  children: (rows: Row[]) => ReactNode;
}

/** Shows that the rows are loading, or the error, or the rows. */
export function LoadedRows<Row>({ query: { data, error }, loading, none, level = "h3", children }: Props<Row>) {
  if (!data) return error ? <ProblemAlert error={error} level={level} /> : <LoadingNote>{loading}</LoadingNote>;
  return data.length === 0 ? none : children(data);
}
