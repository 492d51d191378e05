import { t } from "@lingui/core/macro";
import { setAnswering } from "./connection";
import { isOfProxy, NO_ANSWER, noAnswer, problemFrom, ProblemError } from "./problem";

const CSRF_PATH = "/api/v1/session/csrf";
const CSRF_HEADER = "X-CSRFToken";
const KEY_HEADER = "Idempotency-Key";
const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);
const RETRY_DELAYS_MS = [500, 2000];

function csrfCookie(): string | undefined {
  // Cookies do not distinguish ports, so the server puts its port into the name: two instances may run on one host.
  const name = location.port ? `csrftoken_${location.port}` : "csrftoken";
  const match = new RegExp(`(?:^|;\\s*)${name}=([^;]+)`).exec(document.cookie);
  return match?.[1] === undefined ? undefined : decodeURIComponent(match[1]);
}

/** Django compares this token with its cookie (double submit). A login renews the cookie. */
async function csrfToken(): Promise<string> {
  const known = csrfCookie();
  if (known) return known;
  const response = await fetchOrThrow(new Request(new URL(CSRF_PATH, location.origin)));
  const body: unknown = await response.json().catch(() => ({}));
  const inBody = (body as { csrfToken?: unknown } | null)?.csrfToken;
  return csrfCookie() ?? (typeof inBody === "string" ? inBody : "");
}

async function fetchOrThrow(request: Request): Promise<Response> {
  let response: Response;
  try {
    response = await globalThis.fetch(request);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    setAnswering(false);
    throw noAnswer(error);
  }
  const type = response.headers.get("content-type");
  setAnswering(!isOfProxy(response.status, type));
  if (!response.ok) throw problemFrom(response.status, type, await response.text());
  // An unread body, even an empty one, makes the network panel show the request as aborted.
  if (response.headers.get("Content-Length") === "0") await response.text();
  return response;
}

/** A key stands for one decision of a user. `crypto.randomUUID` does not exist on pages without TLS. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `version` is the version on which the user decided. */
export function changeHeaders(version?: number, key?: string): Record<string, string> {
  return {
    ...(version === undefined ? {} : { "If-Match": `"${version}"` }),
    ...(key === undefined ? {} : { [KEY_HEADER]: key }),
  };
}

/**
 * A lost answer, a proxy's error and a first attempt that is still running are worth a repetition. A problem with a
 * code is the server's own decision.
 */
function isRetryable(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  const { status, code } = error.problem;
  const byProxy = status >= 502 && status <= 504 && !code;
  return status === NO_ANSWER || byProxy || code === "IDEMPOTENCY_KEY_IN_USE";
}

/** Repeats a POST with the same key: the server returns its first answer and does nothing twice. */
async function fetchWithRetries(request: Request): Promise<Response> {
  for (const pause of RETRY_DELAYS_MS) {
    try {
      return await fetchOrThrow(request.clone());
    } catch (error) {
      if (!isRetryable(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return fetchOrThrow(request);
}

/** `fetch` for the typed client. It adds the CSRF token and the idempotency key and throws `ProblemError`. */
export async function apiFetch(request: Request): Promise<Response> {
  if (!SAFE.has(request.method)) request.headers.set(CSRF_HEADER, await csrfToken());
  request.headers.set("Accept", "application/json, application/problem+json");
  if (request.method !== "POST") return fetchOrThrow(request);
  if (!request.headers.has(KEY_HEADER)) request.headers.set(KEY_HEADER, newIdempotencyKey());
  return fetchWithRetries(request);
}

/** Returns undefined for a file that is not UTF-8. */
export async function fileText(path: string): Promise<string | undefined> {
  const response = await fetchOrThrow(new Request(new URL(path, location.origin)));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await response.arrayBuffer());
  } catch {
    return undefined;
  }
}

/** Counts are in bytes. */
export interface Sent {
  loaded: number;
  total: number;
}
export interface Sending {
  onProgress?: (sent: Sent) => void;
  /** Aborting ends the upload with an AbortError. */
  signal?: AbortSignal;
}

/** `fetch` cannot report the progress of an upload. */
async function send(
  [method, path]: [method: "POST" | "PUT", path: string],
  body: Blob | FormData,
  headers: Record<string, string>,
  { onProgress, signal }: Sending,
): Promise<string> {
  const token = await csrfToken();
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(method, path);
    for (const [name, value] of Object.entries({ ...headers, [CSRF_HEADER]: token })) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress?.({ loaded, total });
    };
    xhr.onerror = () => reject(noAnswer(t`the upload was interrupted`));
    xhr.onabort = () => reject(new DOMException(t`The upload was cancelled.`, "AbortError"));
    xhr.onload = () => {
      if (xhr.status < 400) resolve(xhr.responseText);
      else reject(problemFrom(xhr.status, xhr.getResponseHeader("content-type"), xhr.responseText));
    };
    signal?.addEventListener("abort", () => xhr.abort(), { once: true });
    xhr.send(body);
  });
}

export async function upload(
  path: string,
  body: Blob | FormData,
  headers: Record<string, string>,
  sending: Sending,
): Promise<void> {
  await send(["PUT", path], body, headers, sending);
}

/** The POST changes nothing, so it needs no idempotency key. */
export const postForAnswer = async <R>(
  path: string,
  body: Blob | FormData,
  headers: Record<string, string>,
  sending: Sending,
): Promise<R> => JSON.parse(await send(["POST", path], body, headers, sending)) as R;

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof ProblemError && error.status === status;
}
