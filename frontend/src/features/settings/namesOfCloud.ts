import { t } from "@lingui/core/macro";
import type { Setting, VimResources } from "@/api/types";

type Kind = "zones" | "keyPairs" | "volumeTypes";

/** Heat has no custom constraint for zones, so these are recognized by their usual names. */
const BY_CONSTRAINT: Readonly<Record<string, Kind>> = { "nova.keypair": "keyPairs", "cinder.vtype": "volumeTypes" };
/** Cinder and Manila have zones of their own; "key name" may also belong to a licence. */
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

/** Undefined if the setting is not such a name, or the cloud does not list them. */
export function namesOf(setting: Setting, resources: VimResources | undefined): readonly string[] | undefined {
  const kind = kindOf(setting);
  return (kind && resources?.[kind]) ?? undefined;
}

/** The list may be old, and the plan asks the cloud itself, so this only warns. Nova also accepts "zone:host". */
export function nameWarning(setting: Setting, value: string, names: readonly string[]): string | undefined {
  const name = kindOf(setting) === "zones" ? (value.split(":")[0] ?? "") : value;
  if (name === "" || names.includes(name)) return undefined;
  if (names.length === 0) return t`No such name was found in this cloud when it was last read.`;
  return t`When this cloud was last read it had no ${name}, but ${names.join(", ")}.`;
}
