import { t } from "@lingui/core/macro";
import type { Action, VnfPackage } from "@/api/types";

/** Why a package cannot be deleted now, in the order in which the server would say it (`catalog.services.package_delete`). */
export function deleteAction({ operationalState, usageState }: VnfPackage): Action {
  const reasons = [
    operationalState === "ENABLED" ? t`Disable it first: an enabled package can be instantiated at any time.` : "",
    usageState === "IN_USE" ? t`VNF instances use it: delete them first.` : "",
  ].filter(Boolean);
  return { action: "delete", enabled: reasons.length === 0, disabledReason: reasons.join(" ") };
}

export type PackageState = "usable" | "disabled" | "under_way" | "failed";

/** Onboarding and operational state in the one word that a catalog is looked through by. */
export function stateOf({ onboardingState, operationalState }: VnfPackage): PackageState {
  if (onboardingState === "ERROR") return "failed";
  if (onboardingState !== "ONBOARDED") return "under_way";
  return operationalState === "ENABLED" ? "usable" : "disabled";
}

export const PACKAGE_STATES: Record<PackageState, string> = {
  usable: t`Enabled`,
  disabled: t`Disabled`,
  under_way: t`Not onboarded yet`,
  failed: t`Onboarding failed`,
};
