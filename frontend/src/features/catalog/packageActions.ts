import { t } from "@lingui/core/macro";
import type { Action, VnfPackage } from "@/api/types";

/** The reasons are in the server's order (`catalog.services.package_delete`). */
export function deleteAction({ operationalState, usageState }: VnfPackage): Action {
  const reasons = [
    operationalState === "ENABLED" ? t`Disable it first: an enabled package can be instantiated at any time.` : "",
    usageState === "IN_USE" ? t`VNF instances use it: delete them first.` : "",
  ].filter(Boolean);
  return { action: "delete", enabled: reasons.length === 0, disabledReason: reasons.join(" ") };
}

export type PackageState = "usable" | "disabled" | "under_way" | "failed";

/** Joins onboarding and operational state for the filter of the catalog. */
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
