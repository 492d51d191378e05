import { noAnswer, problemFrom, ProblemError } from "./problem";

const CSRF_PATH = "/api/v1/session/csrf";
const CSRF_HEADER = "X-CSRFToken";
const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

function csrfCookie(): string | undefined {
  const match = /(?:^|;\s*)csrftoken=([^;]+)/.exec(document.cookie);
  return match?.[1] === undefined ? undefined : decodeURIComponent(match[1]);
}

/** Django's double-submit token; asked for once, then read from its cookie (a login renews it). */
export async function csrfToken(): Promise<string> {
  const known = csrfCookie();
  if (known) return known;
  const response = await reach(new Request(new URL(CSRF_PATH, location.origin)));
  const body: unknown = await response.json().catch(() => ({}));
  const inBody = (body as { csrfToken?: unknown } | null)?.csrfToken;
  return csrfCookie() ?? (typeof inBody === "string" ? inBody : "");
}

async function reach(request: Request): Promise<Response> {
  let response: Response;
  try {
    response = await globalThis.fetch(request);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw noAnswer(error);
  }
  if (!response.ok) throw problemFrom(response.status, response.headers.get("content-type"), await response.text());
  return response;
}

/** `fetch` for the typed client: adds the CSRF token to what changes something, and throws `ProblemError`. */
export async function apiFetch(request: Request): Promise<Response> {
  if (!SAFE.has(request.method)) request.headers.set(CSRF_HEADER, await csrfToken());
  request.headers.set("Accept", "application/json, application/problem+json");
  return reach(request);
}

/** Sends a file with progress (0..1); `fetch` cannot report what it has sent. */
export async function upload(path: string, file: Blob, onProgress: (share: number) => void): Promise<void> {
  const token = await csrfToken();
  await new Promise<void>((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open("PUT", path);
    xhr.setRequestHeader("Content-Type", "application/zip");
    xhr.setRequestHeader(CSRF_HEADER, token);
    xhr.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    xhr.onerror = () => reject(noAnswer("the upload was cut off"));
    xhr.onload = () => {
      if (xhr.status < 400) resolve();
      else reject(problemFrom(xhr.status, xhr.getResponseHeader("content-type"), xhr.responseText));
    };
    xhr.send(file);
  });
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof ProblemError && error.status === status;
}
