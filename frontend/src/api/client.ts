import { t } from "@lingui/core/macro";
import createClient from "openapi-fetch";
import type { paths } from "./__generated__/schema";
import { apiFetch } from "./http";
import { ProblemError } from "./problem";

export const api = createClient<paths>({ baseUrl: location.origin, fetch: apiFetch });
export const MERGE_PATCH = { "Content-Type": "application/merge-patch+json" };

export interface Answer {
  data?: unknown;
  response: Response;
}

/**
 * `apiFetch` throws unless the request succeeds, so there is data; the type parameter names what OpenAPI leaves
 * open.
 */
export async function data<R>(call: Promise<Answer>): Promise<R> {
  return (await call).data as R;
}

/** `Location` names what a 202 started. */
export async function locationId(call: Promise<Answer>): Promise<string> {
  const { response } = await call;
  const id = response.headers
    .get("Location")
    ?.split("/")
    .findLast((part) => part !== "");
  if (!id) throw new ProblemError({ status: 500, title: t`The response has no Location header`, detail: response.url });
  return id;
}

export function nextPage(link: string | null): string | undefined {
  const match = /<([^>]+)>\s*;[^,]*rel="?next"?/.exec(link ?? "");
  if (!match?.[1]) return undefined;
  const url = new URL(match[1], location.origin);
  return url.pathname + url.search;
}

const PAGE_CAP = 40;

const TRUNCATED = new WeakSet();
/** True when the list has more rows than were read. */
export const isTruncated = (rows: unknown): rows is readonly unknown[] => Array.isArray(rows) && TRUNCATED.has(rows);

/**
 * Follows `Link: rel="next"` to the end (SOL013 clause 5.4). The cap keeps a faulty server from filling the tab; the
 * page says that a longer list `isTruncated`.
 */
export async function all<R>(call: Promise<Answer>): Promise<R[]> {
  const first = await call;
  const rows = [...(first.data as R[])];
  let next = nextPage(first.response.headers.get("Link"));
  for (let page = 1; next !== undefined && page < PAGE_CAP; page += 1) {
    const response = await apiFetch(new Request(new URL(next, location.origin)));
    rows.push(...((await response.json()) as R[]));
    next = nextPage(response.headers.get("Link"));
  }
  if (next !== undefined) TRUNCATED.add(rows);
  return rows;
}

/** The server writes the whole selection, and the browser saves it. */
export function csvHref(path: string, query: object | undefined): string {
  const given = Object.entries({ ...query });
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

const MARKER = "nextpage_opaque_marker";

/** `next` is the marker of the next page. */
export interface Page<R> {
  rows: R[];
  next: string | undefined;
}

export async function page<R>(call: Promise<Answer>): Promise<Page<R>> {
  const { data: rows, response } = await call;
  const next = nextPage(response.headers.get("Link"));
  const marker =
    next === undefined ? undefined : (new URL(next, location.origin).searchParams.get(MARKER) ?? undefined);
  return { rows: rows as R[], next: marker };
}

/** Reads pages one after the other, because only a page names the marker of the next. */
export async function pages<R>(
  count: number,
  read: (marker: string | undefined) => Promise<Page<R>>,
): Promise<Page<R>[]> {
  const found = [await read(undefined)];
  for (let next = found[0]?.next; next !== undefined && found.length < count; next = found.at(-1)?.next) {
    found.push(await read(next));
  }
  return found;
}
