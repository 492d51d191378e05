import { t } from "@lingui/core/macro";
import type { QueryKey } from "@tanstack/react-query";
import { splitFieldErrors, type FieldErrors } from "@/api/problem";
import type { ProblemDetails, ProblemFieldError } from "@/api/types";
import { isoOfTyped, typedTime } from "@/ui/format";
import type { Option, OptionSource } from "@/ui/SearchSelect";

/** Keys: name of the field. */
export type Draft = Readonly<Record<string, string | boolean>>;

interface Common {
  /** The attribute of the API, with a slash before a nested one: "heal/forSeconds". */
  name: string;
  label: string;
  help?: string | undefined;
  required?: boolean;
  /** The field is neither shown nor sent unless this holds. */
  when?: (draft: Draft) => boolean;
  /** The value is set when the record is created and cannot be changed. */
  once?: boolean;
  /** Heading above the field. */
  group?: string;
}
/** Describes a record of another kind that can be created from within this form. */
export interface NewRecord {
  /** "New site" */
  title: string;
  fields: readonly FieldSpec[];
  /** Initial values. */
  fresh: object;
  create: (input: Record<string, unknown>) => Promise<unknown>;
  /** The list that contains the new record. */
  queryKey: QueryKey;
}

/** Both the form and the request are made of these. */
export type FieldSpec = Common &
  /** `most` counts characters. */
  (
    | { kind: "text"; most?: number }
    | { kind: "area" | "time" }
    /** The API never returns a secret; an empty field leaves it unchanged. `isPresent` says whether one is set. */
    | { kind: "secret"; isPresent?: boolean }
    /** A secret of several lines, such as a private key; a password field would join them. */
    | { kind: "secretLines" }
    /** An empty field means null. */
    | { kind: "number"; unit?: string }
    /** One item per line. */
    | { kind: "lines" }
    | { kind: "check" }
    /** `none` is the text for null; without it the user has to choose. */
    | { kind: "select"; options: readonly Option[]; none?: string }
    /** The server searches options that are too many to list; `adds` lets the user create one. */
    | { kind: "search"; source: OptionSource; none?: string; adds?: NewRecord }
    /** `none` is the text for null. */
    | { kind: "truth"; none: string }
  );

const partsOf = (name: string): string[] => name.split("/");

function valueAt(record: unknown, name: string): unknown {
  return partsOf(name).reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)[part] : undefined,
    record,
  );
}

const isSecret = ({ kind }: FieldSpec): boolean => kind === "secret" || kind === "secretLines";

/** Another user's replacement of a secret is invisible. */
export const hasSecret = (fields: readonly FieldSpec[], draft: Draft): boolean =>
  applicable(fields, draft).some((field) => isSecret(field) && Boolean(draft[field.name]));

function toDraft(field: FieldSpec, value: unknown, utc: boolean): string | boolean {
  if (field.kind === "check") return value === true;
  if (value === undefined || value === null || isSecret(field)) return "";
  if (Array.isArray(value)) return value.join("\n");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return field.kind === "time" ? typedTime(text, utc) : text;
}

/** Times are drafted in UTC or in the zone of this computer and must be read in the same zone. */
export function draftOf(fields: readonly FieldSpec[], record: object, utc: boolean): Draft {
  return Object.fromEntries(fields.map((field) => [field.name, toDraft(field, valueAt(record, field.name), utc)]));
}

/** Another user has changed this field; the values are in draft form. */
export interface Change {
  field: FieldSpec;
  was: string | boolean;
  now: string | boolean;
  /** The typed value, if it differs from both values. */
  typed?: string | boolean;
}

/**
 * Fields that the user has not touched follow the record; touched fields keep the typed values. `changes` lists the
 * fields that others have changed; it is empty when they changed only what the form does not show.
 */
export function rebase(
  fields: readonly FieldSpec[],
  before: object,
  now: object,
  draft: Draft,
  utc: boolean,
): { draft: Draft; changes: Change[] } {
  const [old, fresh] = [draftOf(fields, before, utc), draftOf(fields, now, utc)];
  const changes: Change[] = [];
  const next: Record<string, string | boolean> = { ...draft };
  for (const field of fields) {
    const [was, is, typed] = [old[field.name] ?? "", fresh[field.name] ?? "", draft[field.name] ?? ""];
    if (was === is) continue;
    if (typed === was) next[field.name] = is;
    changes.push({ field, was, now: is, ...(typed !== was && typed !== is ? { typed } : {}) });
  }
  return { draft: next, changes };
}

export const applicable = (fields: readonly FieldSpec[], draft: Draft): FieldSpec[] =>
  fields.filter(({ when }) => when?.(draft) ?? true);

function toWire(field: FieldSpec, value: string | boolean, utc: boolean): unknown {
  if (typeof value === "boolean") return value;
  const text = value.trim();
  switch (field.kind) {
    case "number":
      return text === "" ? null : Number(text);
    case "lines":
      return text.split(/[\s,]+/).filter(Boolean);
    case "select":
    case "search":
      return text === "" && field.none !== undefined ? null : text;
    case "truth":
      return text === "" ? null : text === "true";
    case "time":
      return isoOfTyped(text, utc) || null;
    case "secret":
    case "secretLines":
      return value;
    default:
      return text;
  }
}

/** A new record also sends fields that are set only `once`. */
export function inputOf(
  fields: readonly FieldSpec[],
  draft: Draft,
  isNew: boolean,
  utc: boolean,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of applicable(fields, draft)) {
    const value = draft[field.name] ?? "";
    if ((field.once && !isNew) || (isSecret(field) && value === "")) continue;
    const parts = partsOf(field.name);
    const last = parts.pop() ?? "";
    let place = body;
    for (const part of parts) place = (place[part] ??= {}) as Record<string, unknown>;
    place[last] = toWire(field, value, utc);
  }
  return body;
}

export function draftErrors(fields: readonly FieldSpec[], draft: Draft): FieldErrors {
  const errors: FieldErrors = {};
  for (const field of applicable(fields, draft)) {
    const value = draft[field.name] ?? "";
    if (field.required && typeof value === "string" && value.trim() === "")
      errors[field.name] = t`This field is required.`;
    else if (field.kind === "number" && typeof value === "string" && Number.isNaN(Number(value)))
      errors[field.name] = t`Enter a number.`;
  }
  return errors;
}

/** An error at `/include/2` is shown at the field `include`, one at `/heal` at the first field below it. */
export function problemFields(
  fields: readonly FieldSpec[],
  problem: ProblemDetails,
): { fields: FieldErrors; rest: ProblemFieldError[] } {
  return splitFieldErrors(problem.errors, (parts) => {
    for (let length = parts.length; length > 0; length -= 1) {
      const name = parts.slice(0, length).join("/");
      if (fields.some((field) => field.name === name)) return name;
    }
    return fields.find(({ name }) => parts[0] !== undefined && name.startsWith(`${parts[0]}/`))?.name;
  });
}
