import { t } from "@lingui/core/macro";
import type { ProblemDetails, ProblemFieldError } from "./types";

/** Every failed call throws this error, also one that never reached the server. */
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

/** HTTP has no status 0: here it means that no answer came. */
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

/** The server's own 503 is problem+json; a proxy's is not. */
export const isOfProxy = (status: number, contentType: string | null): boolean =>
  [502, 503, 504].includes(status) && !contentType?.includes("problem+json");

/** A problem of the server has a code. */
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

/** Anything that is not problem+json (such as a proxy's page) becomes a problem with the status and without a code. */
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

/** A proxy's page with status 200, or an answer that was cut off, is not JSON. */
const garbled = (cause: SyntaxError): ProblemDetails => ({
  status: NO_ANSWER,
  title: t`The response cannot be read`,
  detail: t`This is no response of the VNF manager: it was truncated, or a proxy responded instead.`,
  code: "ANSWER_GARBLED",
  nextStep: t`Try again. If it persists, check the proxy between the browser and the VNF manager.`,
  causes: [{ source: "browser", message: cause.message }],
});

/** Chromium, Firefox and WebKit report a failed `import()` in these words, and Vite a page's missing styles. */
const CODE_LOST = /dynamically imported module|Importing a module script failed|Unable to preload CSS/;

/** A browser does not repeat a failed `import()` until the page is reloaded. */
export const isCodeLost = (error: unknown): boolean => error instanceof Error && CODE_LOST.test(error.message);

const codeLost = (cause: Error): ProblemDetails => ({
  status: NO_ANSWER,
  title: t`This part of the console did not load`,
  detail: t`The network changed, or the VNF manager was upgraded since this page was opened.`,
  code: "CODE_NOT_LOADED",
  nextStep: t`Reload the page.`,
  causes: [{ source: "browser", message: cause.message }],
});

/** Also converts errors of our own code, so that every error can be shown. */
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

/** Django REST framework says what is wrong with a value; these words say what to enter. */
const OF_VALUES: readonly [RegExp, (limit: string) => string][] = [
  [/Ensure this value is greater than or equal to ([^ ]+)\./g, (limit) => t`Enter at least ${limit}.`],
  [/Ensure this value is less than or equal to ([^ ]+)\./g, (limit) => t`Enter at most ${limit}.`],
  [/Ensure this field has no more than (\d+) characters\./g, (limit) => t`Enter at most ${limit} characters.`],
  [/Ensure this field has at least (\d+) characters\./g, (limit) => t`Enter at least ${limit} characters.`],
  [/This field may not be (?:blank|null)\./g, () => t`This field is required.`],
  [/A valid integer is required\./g, () => t`Enter an integer.`],
  [/A valid number is required\./g, () => t`Enter a number.`],
];

/** Messages of the API name a key of the request where the form has a box to check. */
export function inOurWords(message: string): string {
  const named = message.replaceAll('"createFlavors": true', t`check “${CREATE_FLAVORS_LABEL}”`);
  return OF_VALUES.reduce(
    (text, [pattern, words]) => text.replaceAll(pattern, (_found: string, limit: string) => words(limit)),
    named,
  );
}

export type FieldErrors = Record<string, string>;

/**
 * `fieldOf` gives the name of a field that the form shows; other errors are shown above the form. Two errors of one
 * field are joined.
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
