/** Settings that name a zone, key pair or volume type of the cloud. */
import { t } from "@lingui/core/macro";
import type { Setting, VimResources } from "@/api/types";

type Kind = "zones" | "keyPairs" | "volumeTypes";

/** Heat's custom constraints; it has none for zones, which go by their usual names. */
const BY_CONSTRAINT: Readonly<Record<string, Kind>> = { "nova.keypair": "keyPairs", "cinder.vtype": "volumeTypes" };
const BY_NAME: readonly (readonly [RegExp, Kind])[] = [
  [/(^|_)(availability_?zone|az)(_|\d|$)/i, "zones"],
  [/(^|_)(key_?name|key_?pair)(_|\d|$)/i, "keyPairs"],
  [/(^|_)volume_?type(_|\d|$)/i, "volumeTypes"],
];

export function kindOf({ name, type, hidden, constraints }: Setting): Kind | undefined {
  if (type !== "string" || hidden) return undefined;
  const byConstraint = constraints.map((each) => BY_CONSTRAINT[each.name ?? ""]).find(Boolean);
  return byConstraint ?? BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
}

/** The names that the cloud has for it; undefined where it is no such setting, or the cloud does not tell. */
export function namesOf(setting: Setting, resources: VimResources | undefined): readonly string[] | undefined {
  const kind = kindOf(setting);
  return (kind && resources?.[kind]) ?? undefined;
}

/** Why a value is none of the cloud's. Nova also takes a zone with a host, "zone:host". */
export function nameError(setting: Setting, value: string, names: readonly string[]): string | undefined {
  const name = kindOf(setting) === "zones" ? (value.split(":")[0] ?? "") : value;
  if (name === "" || names.includes(name)) return undefined;
  if (names.length === 0) return t`This cloud has none.`;
  return t`This cloud has no ${name}, but ${names.join(", ")}.`;
}
