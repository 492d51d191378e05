import { json, problem, type Context } from "./http";

const PAGE = 100;
const SIZE = "pageSize";
const MARKER = "nextpage_opaque_marker";
const CLAUSE = /^\((eq|neq|in|cont|ncont|gte|lt),([^,]+),(.*)\)$/;

function valueAt(row: unknown, name: string): unknown {
  return name.split("/").reduce<unknown>((at, part) => (at as Record<string, unknown> | null)?.[part], row);
}
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value);
const unquoted = (value: string): string => value.replace(/^'(.*)'$/, "$1").replaceAll("''", "'");

function holds(row: unknown, clause: string): boolean {
  const [, op = "", name = "", list = ""] = CLAUSE.exec(clause) ?? [];
  const values = list.split(",").map(unquoted);
  const [first = ""] = values;
  // The API filters elements by the column `reachable`, but shows it among the conditions.
  const value = textOf(name === "reachable" ? valueAt(row, "conditions/0/status") : valueAt(row, name));
  switch (op) {
    case "eq":
      return value === first;
    case "neq":
      return value !== first;
    case "in":
      return values.includes(value);
    case "cont":
      return values.some((each) => value.toLowerCase().includes(each.toLowerCase()));
    case "ncont":
      return valueAt(row, name) === null || !value.toLowerCase().includes(first.toLowerCase());
    case "gte":
      return value >= first;
    default:
      return value < first;
  }
}

const COLLATOR = new Intl.Collator(undefined, { numeric: true });
/** Above this number of rows natural order (9 before 10) takes too long. */
const MANY = 5000;
const order = (a: string, b: string, count: number): number =>
  count < MANY ? COLLATOR.compare(a, b) : a < b ? -1 : Number(a > b);

type Rank = (row: unknown, name: string) => string;

/** Returns undefined for an invalid filter. */
export function filtered<Row>({ url }: Pick<Context, "url">, rows: readonly Row[]): Row[] | undefined {
  const clauses = (url.searchParams.get("filter") ?? "").split(";").filter(Boolean);
  if (clauses.some((clause) => !CLAUSE.test(clause))) return undefined;
  return rows.filter((row) => clauses.every((clause) => holds(row, clause)));
}

/** `rank` gives the values by which a column is sorted. */
export function listed(
  { url }: Pick<Context, "url">,
  rows: readonly unknown[],
  rank: Rank = (row, name) => textOf(valueAt(row, name)),
): Response {
  const all = filtered({ url }, rows);
  if (!all) return problem(400, "Bad request", `Not a filter: ${url.searchParams.get("filter") ?? ""}`);
  let found = all;
  const sort = url.searchParams.get("sort") ?? "";
  if (sort) {
    const name = sort.replace(/^-/, "");
    const sign = sort.startsWith("-") ? -1 : 1;
    const ranked = found.map((row) => ({ row, by: rank(row, name) }));
    ranked.sort((a, b) => sign * order(a.by, b.by, found.length));
    found = ranked.map(({ row }) => row);
  }
  const from = Number(url.searchParams.get(MARKER) ?? "0");
  const next = new URL(url);
  const to = from + Number(url.searchParams.get(SIZE) ?? PAGE);
  next.searchParams.set(MARKER, String(to));
  const more = found.length > to;
  return json(found.slice(from, to), 200, more ? { Link: `<${next.toString()}>; rel="next"` } : {});
}
