import { t } from "@lingui/core/macro";
import type { ProblemDetails, ProblemFieldError } from "./types";

/** Every failed call, including one that never reached the server, ends as this error. */
export class ProblemError extends Error {
  readonly problem: ProblemDetails;

  constructor(problem: ProblemDetails) {
    super(problem.detail || problem.title);
    this.name = "ProblemError";
    this.problem = problem;
  }

  get status(): number {
    return this.problem.status;
  }
}

/** Status 0 marks an answer that never came; HTTP has no such code. */
export const NO_ANSWER = 0;

export function noAnswer(cause: unknown): ProblemError {
  const words = cause instanceof Error ? cause.message : String(cause);
  return new ProblemError({
    status: NO_ANSWER,
    title: t`The VNF manager does not respond`,
    detail: t`The request did not reach the server, or the response was lost.`,
    code: "NO_ANSWER",
    nextStep: t`Check the network and whether the VNF manager is running, then try again.`,
    causes: [{ source: "browser", message: words }],
  });
}

/** A proxy answers that it does not reach the server; the server's own 503 is a problem of the API. */
export const isOfProxy = (status: number, contentType: string | null): boolean =>
  [502, 503, 504].includes(status) && !contentType?.includes("problem+json");

/** Whether the server did not answer at all; what it says itself has a code. */
export const isNoAnswer = (error: unknown): boolean =>
  error instanceof ProblemError &&
  (error.status === NO_ANSWER || ([502, 503, 504].includes(error.status) && !error.problem.code));

const TITLES: Record<number, string> = {
  401: t`You are not logged in`,
  403: t`You are not allowed to do this`,
  404: t`Not found`,
  409: t`This conflicts with the current state`,
  412: t`Another user has changed this`,
  413: t`The upload is too large`,
  503: t`The VNF manager is not ready`,
};

/**
 * Reads problem+json; what is not problem+json (a proxy's page, or JSON of its own with a `code` of its own) becomes a
 * problem that names the status, and has no code.
 */
export function problemFrom(status: number, contentType: string | null, body: string): ProblemError {
  const parsed = contentType?.includes("problem+json") ? parseObject(body) : undefined;
  const text = (key: string) => (typeof parsed?.[key] === "string" ? parsed[key] : undefined);
  return new ProblemError({
    ...parsed,
    status,
    title: text("title") ?? TITLES[status] ?? t`The server answered with HTTP ${status}`,
    detail: text("detail") ?? "",
  });
}

function parseObject(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** An answer that says it succeeded, and is none of the API: a proxy's page, or one that was cut off. */
const garbled = (cause: SyntaxError): ProblemDetails => ({
  status: NO_ANSWER,
  title: t`The response cannot be read`,
  detail: t`This is no response of the VNF manager: it was truncated, or a proxy responded instead.`,
  code: "ANSWER_GARBLED",
  nextStep: t`Try again. If it persists, check the proxy between the browser and the VNF manager.`,
  causes: [{ source: "browser", message: cause.message }],
});

/** Chromium's, Firefox' and WebKit's words for `import()` without an answer, and Vite's for a page's styles. */
const CODE_LOST = /dynamically imported module|Importing a module script failed|Unable to preload CSS/;

/** Whether a part of the console did not load; its `import()` is not tried again before the page is reloaded. */
export const isCodeLost = (error: unknown): boolean => error instanceof Error && CODE_LOST.test(error.message);

const codeLost = (cause: Error): ProblemDetails => ({
  status: NO_ANSWER,
  title: t`This part of the console did not load`,
  detail: t`The network changed, or the VNF manager was upgraded since this page was opened.`,
  code: "CODE_NOT_LOADED",
  nextStep: t`Reload the page.`,
  causes: [{ source: "browser", message: cause.message }],
});

/** What to show for anything thrown, our own bugs included. */
export function asProblem(error: unknown): ProblemDetails {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof SyntaxError) return garbled(error);
  if (error instanceof Error && isCodeLost(error)) return codeLost(error);
  return {
    status: 500,
    title: t`The console failed`,
    detail: error instanceof Error ? error.message : String(error),
    code: "CONSOLE_ERROR",
    nextStep: t`Reload the page. If it happens again, report it with the message above.`,
  };
}

/** RFC 6901: "/additionalParams/a~1b" → ["additionalParams", "a/b"]. A plan's request body is wrapped in "request". */
export function pointerParts(pointer: string): string[] {
  const parts = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return parts[0] === "request" ? parts.slice(1) : parts;
}

export const CREATE_FLAVORS_LABEL = t`Create the flavors that are missing`;

/** Words for a caller of the API, in those of the console: where the API has a key, the forms have a box to check. */
export function inOurWords(message: string): string {
  return message.replaceAll('"createFlavors": true', t`check “${CREATE_FLAVORS_LABEL}”`);
}

export type FieldErrors = Record<string, string>;

/**
 * Sorts field errors into those a form can show (`fieldOf` gives the field's name) and the rest, which belong above it.
 * Two complaints about one field are joined: the user sees both.
 */
export function splitFieldErrors(
  errors: readonly ProblemFieldError[] | undefined,
  fieldOf: (parts: string[]) => string | undefined,
): { fields: FieldErrors; rest: ProblemFieldError[] } {
  const fields: FieldErrors = {};
  const rest: ProblemFieldError[] = [];
  for (const error of errors ?? []) {
    const name = fieldOf(pointerParts(error.field));
    const message = inOurWords(error.message);
    if (name === undefined) rest.push(error);
    else fields[name] = fields[name] ? `${fields[name]} ${message}` : message;
  }
  return { fields, rest };
}
