import { t } from "@lingui/core/macro";
import { splitFieldErrors, type FieldErrors } from "@/api/problem";
import type { Flavour, InstantiateRequest, ProblemDetails, ProblemFieldError, Setting, Vnfd } from "@/api/types";
import type { DemandDraft } from "@/features/dimensioning/demandDraft";
import {
  CREATE_FLAVORS,
  fieldOfPointer,
  POLICIES,
  policyParams,
  settingField,
  VIM_TYPE,
} from "@/features/settings/settingFields";
import { planErrors } from "@/features/settings/addresses";
import { parseSetting, rawOf, settingError, type Raw } from "@/features/settings/validate";
import type { PrefillResult, Origin } from "./prefill";
import { conflictErrors, type AddressConflict } from "./addressConflicts";

export const STEPS = ["vnf", "cloud", "settings", "size", "plan"] as const;
export type StepId = (typeof STEPS)[number];

/** The draft outlives every step, so that going back loses nothing. */
export interface Draft {
  /** Set for an instance that exists but is not instantiated; otherwise one is created. */
  vnfInstanceId: string | undefined;
  vnfdId: string | undefined;
  vimId: string | undefined;
  name: string;
  proposedName: string;
  description: string;
  flavourId: string | undefined;
  levelId: string | undefined;
  /** Scaling aspect to level; empty unless dimensioning found a size that no instantiation level has. */
  scale: Record<string, number>;
  /** Changed settings as typed; the others keep the VNFD's default. */
  raw: Record<string, Raw>;
  /** Undefined: flavors are created if the cloud's user may do so. */
  createFlavors: boolean | undefined;
  /** The source of the initial settings, once the user chose one. */
  origin: Origin | undefined;
  prefill: PrefillResult | undefined;
  /** Keys: setting. The addresses are those of the copied instance. */
  addressConflicts: Record<string, AddressConflict>;
  /** Names of secrets to enter again: secrets are never stored. */
  secretsToEnter: string[];
  /** The last demand for dimensioning. */
  demand: DemandDraft | undefined;
  /** The field to focus; a new object each time, so that the same field can get the focus twice. */
  focus: { field: string } | undefined;
  /** Keys: `fieldId`. Errors come from the wizard and from the server. */
  errors: FieldErrors;
}

export const emptyDraft = (vnfdId?: string): Draft => ({
  vnfInstanceId: undefined,
  vnfdId,
  vimId: undefined,
  name: "",
  proposedName: "",
  description: "",
  flavourId: undefined,
  levelId: undefined,
  scale: {},
  raw: {},
  createFlavors: undefined,
  origin: undefined,
  prefill: undefined,
  addressConflicts: {},
  secretsToEnter: [],
  demand: undefined,
  focus: undefined,
  errors: {},
});

/** The address may contain the size that dimensioning found. */
export const draftOf = (params: URLSearchParams): Draft => ({
  ...emptyDraft(params.get("vnfd") ?? undefined),
  flavourId: params.get("flavour") || undefined,
  levelId: params.get("level") || undefined,
  scale: scaleOf(params.get("scale") ?? ""),
});

/** "lb:4,mg:2" means levels of aspects; invalid levels are left out. */
function scaleOf(text: string): Record<string, number> {
  const pairs = text.split(",").map((pair) => /^(.+):(\d+)$/.exec(pair));
  return Object.fromEntries(pairs.flatMap((found) => (found?.[1] ? [[found[1], Number(found[2])]] : [])));
}

export type Change =
  | { type: "vnfd"; vnfdId: string }
  | { type: "instance"; vnfInstanceId: string; vnfdId: string; name: string; description: string }
  | { type: "vim"; vimId: string }
  | { type: "proposal"; name: string }
  | { type: "text"; field: "name" | "description" | "flavourId" | "levelId"; value: string }
  | { type: "setting"; name: string; raw: Raw | undefined }
  | { type: "begin"; vnfdId: string; origin: Origin; patch: Partial<Draft> }
  | { type: "size"; flavourId: string; levelId: string; scale: Record<string, number> }
  | { type: "scale"; aspectId: string; level: number }
  | { type: "unscale" }
  | { type: "demand"; demand: DemandDraft }
  | { type: "createFlavors"; value: boolean }
  | { type: "errors"; errors: FieldErrors; focus?: string | undefined };

const without = <V>(record: Record<string, V>, key: string): Record<string, V> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

const withoutSize = (errors: FieldErrors): FieldErrors => without(without(errors, "flavourId"), "levelId");

/** An address conflicts only on the same cloud and network. */
function withoutConflicts(
  { errors, addressConflicts }: Draft,
  isConcerned: (conflict: AddressConflict) => boolean,
): FieldErrors {
  const concerned = Object.entries(addressConflicts).filter(([, each]) => isConcerned(each));
  return concerned.reduce((rest, [name]) => without(rest, settingField(name)), errors);
}

export function reduce(draft: Draft, change: Change): Draft {
  switch (change.type) {
    case "vnfd":
      // Another VNF has other settings; only name and cloud remain valid.
      return change.vnfdId === draft.vnfdId
        ? draft
        : { ...emptyDraft(change.vnfdId), vimId: draft.vimId, name: typedName(draft), description: draft.description };
    case "instance": {
      const { type: _type, ...known } = change;
      return { ...draft, ...known };
    }
    case "proposal":
      return { ...draft, name: change.name, proposedName: change.name, errors: without(draft.errors, "name") };
    case "vim": {
      const errors = withoutConflicts(draft, () => true);
      return { ...draft, vimId: change.vimId, errors: without(errors, "vimId") };
    }
    case "text": {
      const next = { ...draft, [change.field]: change.value, errors: without(draft.errors, change.field) };
      if (change.field === "levelId") return { ...next, scale: {} };
      return change.field === "flavourId" ? { ...next, levelId: undefined, scale: {} } : next;
    }
    case "begin": {
      // The answer is for a VNF that is no longer chosen.
      if (change.vnfdId !== draft.vnfdId) return draft;
      const { raw, flavourId, levelId, scale, prefill, addressConflicts, secretsToEnter, errors } = emptyDraft();
      const defaults = { raw, flavourId, levelId, scale, prefill, addressConflicts, secretsToEnter, errors };
      return { ...draft, ...defaults, ...change.patch, origin: change.origin };
    }
    case "size": {
      const { type: _type, ...size } = change;
      return { ...draft, ...size, levelId: size.levelId || undefined, errors: withoutSize(draft.errors) };
    }
    case "scale":
      return {
        ...draft,
        scale: { ...draft.scale, [change.aspectId]: change.level },
        errors: withoutSize(draft.errors),
      };
    case "unscale":
      return { ...draft, scale: {} };
    case "demand":
      return { ...draft, demand: change.demand };
    case "setting": {
      const raw =
        change.raw === undefined ? without(draft.raw, change.name) : { ...draft.raw, [change.name]: change.raw };
      const errors = withoutConflicts(draft, ({ networkParameter }) => networkParameter === change.name);
      return { ...draft, raw, errors: without(errors, settingField(change.name)) };
    }
    case "createFlavors":
      return { ...draft, createFlavors: change.value, errors: without(draft.errors, settingField(CREATE_FLAVORS)) };
    case "errors":
      return {
        ...draft,
        errors: change.errors,
        focus: change.focus === undefined ? undefined : { field: change.focus },
      };
  }
}

/** "" while the name is the proposed one. */
export const typedName = ({ name, proposedName }: Draft): string => (name === proposedName ? "" : name);

/** "vsr-pe-1", or the next free number. */
export function proposedName({ productName }: Vnfd, names: readonly string[]): string {
  const stem = productName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  let number = 1;
  while (names.includes(`${stem}-${number}`)) number += 1;
  return `${stem}-${number}`;
}

const rawValue = (draft: Draft, setting: Setting): Raw => draft.raw[setting.name] ?? rawOf(setting.default);

export function flavourOf(vnfd: Vnfd, draft: Draft): Flavour | undefined {
  return (
    vnfd.flavours.find((each) => each.id === draft.flavourId) ??
    vnfd.flavours.find((each) => each.id === "default") ??
    vnfd.flavours[0]
  );
}

/** A management profile or a chosen network may give these settings another value than the package. */
const addressesOf = ({ addressPlans }: Vnfd): ReadonlySet<string> =>
  new Set(addressPlans.flatMap(({ cidr, gateway, addresses }) => [cidr, gateway, ...addresses]));

/** The request contains only values that differ from the defaults, so it shows what the user decided. */
export function toRequest(vnfd: Vnfd, draft: Draft): InstantiateRequest {
  const params: Record<string, unknown> = {};
  const addressed = addressesOf(vnfd);
  for (const setting of vnfd.settings) {
    const raw = draft.raw[setting.name];
    if (raw === undefined || (raw === rawOf(setting.default) && !addressed.has(setting.name))) continue;
    const parsed = raw.trim() === "" ? undefined : parseSetting(setting, raw);
    if (parsed?.ok) params[setting.name] = parsed.value;
  }
  if (vnfd.element)
    Object.assign(
      params,
      policyParams((name) => draft.raw[name]),
    );
  if (draft.createFlavors !== undefined) params[CREATE_FLAVORS] = draft.createFlavors;
  const flavour = flavourOf(vnfd, draft);
  const request: InstantiateRequest = {
    flavourId: flavour?.id ?? "default",
    vimConnectionInfo: { vim1: { vimId: draft.vimId ?? "", vimType: VIM_TYPE } },
  };
  const level = draft.levelId ?? flavour?.defaultInstantiationLevelId;
  if (level) request.instantiationLevelId = level;
  const scale = Object.entries(draft.scale);
  if (scale.length > 0) {
    request.targetScaleLevelInfo = scale.map(([aspectId, scaleLevel]) => ({ aspectId, scaleLevel }));
  }
  if (Object.keys(params).length > 0) request.additionalParams = params;
  return request;
}

/** Includes conflicts between addresses, their subnets and a copied instance. */
export function settingErrors(vnfd: Vnfd, draft: Draft): FieldErrors {
  const valueOf = (name: string) => draft.raw[name] ?? rawOf(vnfd.settings.find((each) => each.name === name)?.default);
  const conflicts = conflictErrors(vnfd, draft);
  const planned = planErrors(vnfd.addressPlans, valueOf);
  const errors: FieldErrors = {};
  for (const setting of vnfd.settings) {
    const { name } = setting;
    const complaint = conflicts[name] ?? settingError(setting, rawValue(draft, setting)) ?? planned[name];
    if (complaint) errors[settingField(name)] = complaint;
  }
  return errors;
}

export function draftErrors(vnfd: Vnfd, draft: Draft): FieldErrors {
  const errors = settingErrors(vnfd, draft);
  if (draft.name.trim() === "") errors["name"] = t`Enter a name.`;
  return errors;
}

export function problemFields(
  vnfd: Vnfd | undefined,
  problem: ProblemDetails | null | undefined,
): { fields: FieldErrors; rest: ProblemFieldError[] } {
  return splitFieldErrors(problem?.errors, fieldOfPointer(vnfd));
}

export function stepOf(field: string): StepId {
  if (field === "vnfdId") return "vnf";
  if (field === "flavourId" || field === "levelId") return "size";
  return field === "vimId" ? "cloud" : "settings";
}

/** Errors are in the order of the form. */
export function firstError(vnfd: Vnfd | undefined, errors: FieldErrors): { step: StepId; field: string } | undefined {
  const order = [
    "name",
    "description",
    "flavourId",
    "levelId",
    ...[...POLICIES, ...(vnfd?.settings ?? [])].map((s) => settingField(s.name)),
  ];
  const rank = (field: string) =>
    (order.indexOf(field) + 1 || order.length + 1) + STEPS.indexOf(stepOf(field)) * 10_000;
  const field = Object.keys(errors).sort((a, b) => rank(a) - rank(b))[0];
  return field === undefined ? undefined : { step: stepOf(field), field };
}
