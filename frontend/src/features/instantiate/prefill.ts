/** Initial values of the wizard, as far as the VNFD has settings for them. */
import { t } from "@lingui/core/macro";
import type { Environment, Flavour, InstantiateRequest, VnfInstance, Vnfd } from "@/api/types";
import { rawOf, settingError, type Raw } from "@/features/settings/validate";
import { CREATE_FLAVORS, POLICIES, settingField, UNMANAGED } from "@/features/settings/settingFields";
import { addressConflicts, conflictErrors } from "./addressConflicts";

export interface Origin {
  /** `attempt`: the last instantiation of an instance that is not instantiated. */
  kind: "package" | "environment" | "instance" | "attempt";
  id: string;
}
/** While this mutation runs nothing should be typed that it would overwrite. */
export const PREFILL_KEY = "begin_with";
export const PACKAGE: Origin = { kind: "package", id: "" };

/** The choices may come from another version of the VNF. */
export interface Choices {
  vimId: string | null;
  vimName: string;
  flavourId: string;
  levelId: string;
  scale: Record<string, number>;
  params: Record<string, unknown>;
}

interface LeftOut {
  name: string;
  why: string;
}

export interface PrefillResult {
  /** Describes the source. */
  title: string;
  leftOut: LeftOut[];
}

export const choicesOfEnvironment = (environment: Environment): Choices => ({
  vimId: environment.vimId,
  vimName: environment.vimName,
  flavourId: environment.flavourId,
  levelId: environment.instantiationLevelId,
  scale: Object.fromEntries(environment.targetScaleLevelInfo.map((each) => [each.aspectId, each.scaleLevel])),
  params: environment.additionalParams,
});

/** The operation keeps its request. */
export function choicesOfRequest(request: InstantiateRequest): Choices {
  const { [CREATE_FLAVORS]: _agreed, ...params } = request.additionalParams ?? {};
  return {
    vimId: Object.values(request.vimConnectionInfo ?? {})[0]?.vimId ?? null,
    vimName: "",
    flavourId: request.flavourId,
    levelId: request.instantiationLevelId ?? "",
    scale: Object.fromEntries((request.targetScaleLevelInfo ?? []).map((each) => [each.aspectId, each.scaleLevel])),
    params,
  };
}

const sameScale = (flavour: Flavour, a: Record<string, number>, b: Record<string, number>): boolean =>
  flavour.scalingAspects.every(({ id }) => (a[id] ?? 0) === (b[id] ?? 0));

/** `policies` has the names of mediation policies by their keys in additionalParams. */
export function choicesOfInstance(
  instance: VnfInstance,
  vnfd: Vnfd,
  flavourId: string,
  policies: Record<string, string>,
): Choices {
  const flavour = vnfd.flavours.find((each) => each.id === flavourId);
  const present = Object.fromEntries(instance.scale.map(({ aspectId, level }) => [aspectId, level]));
  const exact = flavour?.instantiationLevels.find((level) => sameScale(flavour, level.scale, present));
  return {
    ...{ vimId: instance.vimId, vimName: "", flavourId },
    levelId: exact?.id ?? flavour?.defaultInstantiationLevelId ?? "",
    scale: exact ? {} : present,
    params: { ...instance.settings, ...policies },
  };
}

interface FittedChoices {
  vimId: string | undefined;
  flavourId: string | undefined;
  levelId: string | undefined;
  scale: Record<string, number>;
  raw: Record<string, Raw>;
  leftOut: LeftOut[];
}

function fitSize(
  vnfd: Vnfd,
  chosen: Choices,
  leftOut: LeftOut[],
): Pick<FittedChoices, "flavourId" | "levelId" | "scale"> {
  const flavour = vnfd.flavours.find(({ id }) => id === chosen.flavourId);
  if (!flavour) {
    const why = t`This package has no such deployment flavour; the default flavour and its default level are used.`;
    leftOut.push({ name: t`Flavour ${chosen.flavourId} and its size`, why });
    return { flavourId: undefined, levelId: undefined, scale: {} };
  }
  const level = flavour.instantiationLevels.find(({ id }) => id === chosen.levelId);
  if (!level && chosen.levelId) {
    const why = t`The flavour has no such level; its default level is used.`;
    leftOut.push({ name: t`Instantiation level ${chosen.levelId}`, why });
  }
  const scale: Record<string, number> = {};
  for (const [id, wanted] of Object.entries(chosen.scale)) {
    const aspect = flavour.scalingAspects.find((each) => each.id === id);
    if (aspect && wanted <= aspect.maxScaleLevel) scale[id] = wanted;
    else {
      const why = aspect ? t`The maximum is ${aspect.maxScaleLevel} here.` : t`The flavour has no such scaling aspect.`;
      leftOut.push({ name: t`Level ${wanted} of ${id}`, why });
    }
  }
  return { flavourId: flavour.id, levelId: level?.id, scale };
}

function whyNot(vnfd: Vnfd, name: string, raw: Raw): string | undefined {
  if (POLICIES.some((policy) => policy.name === name))
    return vnfd.element ? undefined : t`This package defines no network element.`;
  const setting = vnfd.settings.find((each) => each.name === name);
  if (!setting) return t`This package has no such setting.`;
  if (setting.hidden) return t`It is a secret.`;
  return raw.trim() === "" ? undefined : settingError(setting, raw);
}

/** Choices that VNFD or clouds do not support are left out with a reason. */
export function fitChoices(vnfd: Vnfd, vims: readonly { id: string }[], chosen: Choices): FittedChoices {
  const leftOut: LeftOut[] = [];
  const size = fitSize(vnfd, chosen, leftOut);
  const raw: Record<string, Raw> = {};
  for (const [name, value] of Object.entries(chosen.params)) {
    const text = name === "snmpPolicy" && value === null ? UNMANAGED : rawOf(value);
    const why = whyNot(vnfd, name, text);
    if (why === undefined) raw[name] = text;
    else leftOut.push({ name: vnfd.settings.find((each) => each.name === name)?.label ?? name, why });
  }
  const known = vims.some(({ id }) => id === chosen.vimId);
  if (chosen.vimId !== null && !known) {
    leftOut.push({ name: t`Cloud ${chosen.vimName}`.trim(), why: t`It is no longer registered; choose another.` });
  }
  return { ...size, raw, leftOut, vimId: known ? (chosen.vimId ?? undefined) : undefined };
}

/** "edge-1-2", or the next free number. */
export function cloneName(name: string, names: readonly string[]): string {
  let number = 2;
  while (names.includes(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}

export function prefilled(vnfd: Vnfd, vims: readonly { id: string }[], chosen: Choices, title: string, by?: string) {
  const { leftOut, vimId, ...fitted } = fitChoices(vnfd, vims, chosen);
  const conflicts = by === undefined ? {} : addressConflicts(vnfd, chosen, by);
  const secretsToEnter = vnfd.settings.filter((each) => each.hidden).map(({ name }) => name);
  const errors = Object.fromEntries(
    Object.entries(conflictErrors(vnfd, { addressConflicts: conflicts, raw: fitted.raw, vimId })).map(
      ([name, words]) => [settingField(name), words],
    ),
  );
  return {
    ...fitted,
    addressConflicts: conflicts,
    secretsToEnter,
    errors,
    prefill: { title, leftOut },
    ...(vimId ? { vimId } : {}),
  };
}
