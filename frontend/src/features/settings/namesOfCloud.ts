/** Settings that name a zone, key pair or volume type of the cloud. */
import { t } from "@lingui/core/macro";
import type { Setting, VimResources } from "@/api/types";

type Kind = "zones" | "keyPairs" | "volumeTypes";

/** Heat's custom constraints; it has none for zones, which go by their usual names. */
const BY_CONSTRAINT: Readonly<Record<string, Kind>> = { "nova.keypair": "keyPairs", "cinder.vtype": "volumeTypes" };
/** Cinder and Manila have zones of their own, which need not be Nova's; a licence has a key name, too. */
const BY_NAME: readonly (readonly [RegExp, Kind])[] = [
  [/^(?!.*(volume|cinder|storage|disk|share))(.*_)?(availability_?zone|az)(_?\d+)?$/i, "zones"],
  [/^((ssh|nova|server|vm)_)?key_?name(_?\d+)?$|(^|_)key_?pair(_?name)?(_?\d+)?$/i, "keyPairs"],
  [/(^|_)volume_?type(_?\d+)?$/i, "volumeTypes"],
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

/**
 * That the cloud did not have a value when it was last read; the plan asks the cloud itself. Nova also takes a zone with
 * a host, "zone:host".
 */
export function nameWarning(setting: Setting, value: string, names: readonly string[]): string | undefined {
  const name = kindOf(setting) === "zones" ? (value.split(":")[0] ?? "") : value;
  if (name === "" || names.includes(name)) return undefined;
  if (names.length === 0) return t`No such name was found in this cloud when it was last read.`;
  return t`When this cloud was last read it had no ${name}, but ${names.join(", ")}.`;
}
