import { t } from "@lingui/core/macro";
import type { QueryKey } from "@tanstack/react-query";
import { splitFieldErrors, type FieldErrors } from "@/api/problem";
import type { ProblemDetails, ProblemFieldError } from "@/api/types";
import { isoOfTyped, typedTime } from "@/ui/format";
import type { Option, OptionSource } from "@/ui/SearchSelect";

/** What has been typed, by field. */
export type Draft = Readonly<Record<string, string | boolean>>;

interface Common {
  /** Its attribute on the wire, with a slash before what lies deeper: "heal/forSeconds". */
  name: string;
  label: string;
  help?: string | undefined;
  required?: boolean;
  /** Not asked, and not sent, unless this holds. */
  when?: (draft: Draft) => boolean;
  /** Said when the record is made, and never changed. */
  once?: boolean;
  /** The heading that it stands under. */
  group?: string;
}
/** A record of another kind, as it is made from within a form that needs it. */
export interface NewRecord {
  /** "New site". */
  title: string;
  fields: readonly FieldSpec[];
  /** Values to begin with. */
  fresh: object;
  create: (input: Record<string, unknown>) => Promise<unknown>;
  /** The list that has one more then. */
  queryKey: QueryKey;
}

/** One thing that is asked of a record; the form is drawn from these, and the request made of them. */
export type FieldSpec = Common &
  /** `most`: characters. */
  (
    | { kind: "text"; most?: number }
    | { kind: "area" | "time" }
    /** Goes in and never comes out; one that is left empty stays as it was. `isPresent`: the one that holds now. */
    | { kind: "secret"; isPresent?: boolean }
    /** A secret of several lines, as a private key is; a password box would join them. */
    | { kind: "secretLines" }
    /** Empty is null. */
    | { kind: "number"; unit?: string }
    /** One item per line. */
    | { kind: "lines" }
    | { kind: "check" }
    /** `none` is what null is called; without it one has to be chosen. */
    | { kind: "select"; options: readonly Option[]; none?: string }
    /** The same of choices that are too many to be listed; `adds`: one that does not exist yet can be made from here. */
    | { kind: "search"; source: OptionSource; none?: string; adds?: NewRecord }
    /** Yes, no, or null, which `none` names. */
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

/** Whether the draft replaces a secret. A concurrent replacement is invisible. */
export const hasSecret = (fields: readonly FieldSpec[], draft: Draft): boolean =>
  applicable(fields, draft).some((field) => isSecret(field) && Boolean(draft[field.name]));

function toDraft(field: FieldSpec, value: unknown, utc: boolean): string | boolean {
  if (field.kind === "check") return value === true;
  if (value === undefined || value === null || isSecret(field)) return "";
  if (Array.isArray(value)) return value.join("\n");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return field.kind === "time" ? typedTime(text, utc) : text;
}

/**
 * Initial values of the form: a record's values, or the defaults of a new one. Times are
 * drafted in UTC, or in the zone of this computer, and have to be read as they were drafted.
 */
export function draftOf(fields: readonly FieldSpec[], record: object, utc: boolean): Draft {
  return Object.fromEntries(fields.map((field) => [field.name, toDraft(field, valueAt(record, field.name), utc)]));
}

/** A field that another user has changed; the values are in draft form. */
export interface Change {
  field: FieldSpec;
  was: string | boolean;
  now: string | boolean;
  /** What is typed for it here, where that is neither. */
  typed?: string | boolean;
}

/**
 * What has been typed, brought on to what the record is now: fields that were not touched follow it, those that were
 * stay as they were typed. `changes` are the fields in which the record is another one; none, where others have
 * changed what the form does not ask for.
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

/** The body of the request. `isNew`: also what is said only once. */
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

/** A complaint about `/include/2` belongs to the field `include`, one about `/heal` to the first of its fields. */
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
