import type { AddressPlan, PlanSetting, Setting } from "@/api/types";
import { rawOf, type Raw } from "./validate";

/** What a plan found for the settings, by their names. */
export type PlannedSettings = ReadonlyMap<string, PlanSetting>;

/** Fields that show the cloud's own choices in words of theirs. */
const PICKED = new Set<Setting["format"]>(["flavor", "image"]);

/** The value that a setting will have where nothing is typed: planned, and before there is a plan the package's. */
export function usualRaw(setting: Setting, planned: PlannedSettings): Raw {
  const found = PICKED.has(setting.format) ? undefined : planned.get(setting.name);
  return rawOf(found && found.origin !== "request" ? found.value : setting.default);
}

/**
 * The other addresses of a subnet, and the subnet, as a profile or the cloud gives them: they give all or none, so that
 * with one that is typed the others have to be sent, too.
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
