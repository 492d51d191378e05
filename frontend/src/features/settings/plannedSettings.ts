import type { AddressPlan, PlanSetting, Setting } from "@/api/types";
import { rawOf, type Raw } from "./validate";

/** Keys: name of the setting. */
export type PlannedSettings = ReadonlyMap<string, PlanSetting>;

/** Fields of these formats show the cloud's choices with texts of their own. */
const PICKED = new Set<Setting["format"]>(["flavor", "image"]);

/** The default is that of the plan, or of the package before there is a plan. */
export function usualRaw(setting: Setting, planned: PlannedSettings): Raw {
  const found = PICKED.has(setting.format) ? undefined : planned.get(setting.name);
  return rawOf(found && found.origin !== "request" ? found.value : setting.default);
}

/**
 * A profile or the cloud gives all addresses of a subnet or none, so if the user types one, the others must be sent
 * as well.
 */
export function siblingsOf(name: string, plans: readonly AddressPlan[], planned: PlannedSettings): [string, Raw][] {
  const plan = plans.find(({ cidr, gateway, addresses }) => [cidr, gateway, ...addresses].includes(name));
  const names = plan ? [plan.cidr, plan.gateway, ...plan.addresses] : [];
  return names.flatMap((each): [string, Raw][] => {
    const found = planned.get(each);
    return each !== name && (found?.origin === "profile" || found?.origin === "cloud")
      ? [[each, rawOf(found.value)]]
      : [];
  });
}
