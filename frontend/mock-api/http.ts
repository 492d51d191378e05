import type { Topic } from "../src/api/types";
import type { Db } from "./db";

export interface Context {
  db: Db;
  request: Request;
  url: URL;
  /** Path parameters are in the order of the path. */
  params: string[];
  body: unknown;
  emit: (topic: Topic, id: string, version?: number) => void;
  /** Runs the work after that time in development, and at once in tests. */
  later: (seconds: number, work: () => void) => void;
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
export const none = (status = 204, headers: Record<string, string> = {}): Response =>
  new Response(null, { status, headers });
export const problem = (status: number, title: string, detail: string, more: object = {}): Response =>
  new Response(JSON.stringify({ status, title, detail, ...more }), {
    status,
    headers: { "Content-Type": "application/problem+json" },
  });
export const notFound = (what: string): Response =>
  problem(404, `No such ${what}`, `The ${what} does not exist, or was deleted.`);

/** Answers 412 when the client changed another version than the present one. */
export function stale({ request }: Pick<Context, "request">, version: number): Response | undefined {
  const wanted = request.headers.get("If-Match");
  if (wanted === null || wanted === `"${version}"`) return undefined;
  return problem(
    412,
    "Precondition failed",
    `The resource has changed since you read it: its ETag is now "${version}".`,
    {
      code: "PRECONDITION_FAILED",
    },
  );
}

/** The server exports the whole selection; the mock only these rows. */
export function csv<Row>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): Response {
  const lines = rows.map((row) => columns.map((name) => JSON.stringify(row[name])).join(","));
  return new Response([columns.join(","), ...lines].join("\r\n"), { headers: { "Content-Type": "text/csv" } });
}
