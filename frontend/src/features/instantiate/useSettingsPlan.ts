import { useMemo, useState } from "react";
import type { PlanFlavor, PlanResult, Vnfd } from "@/api/types";
import { usePlan } from "@/features/plans/usePlan";
import { plannedFlavors } from "@/features/settings/MissingFlavors";
import type { PlannedSettings } from "@/features/settings/plannedSettings";
import { POLICIES, settingField } from "@/features/settings/settingFields";
import { useDebounced } from "@/ui/useDebounced";
import { settingErrors, toRequest, type Draft } from "./draft";

interface SettingsPlan {
  proposals: PlanFlavor[];
  planned: PlannedSettings;
  asking: boolean;
}

/** Other settings may depend on these valid values. Flavors are proposed by the plan, so they are left out. */
function steering(vnfd: Vnfd, draft: Draft): Draft["raw"] {
  const faulty = settingErrors(vnfd, draft);
  const steers = vnfd.settings.filter(
    ({ name, format, required }) =>
      (required || ["network", "ipv4", "cidr"].includes(format ?? "")) &&
      format !== "flavor" &&
      !faulty[settingField(name)],
  );
  const names = new Set([...POLICIES, ...steers].map(({ name }): string => name));
  return Object.fromEntries(Object.entries(draft.raw).filter(([name]) => names.has(name)));
}

/** A plan of incomplete choices, which returns the values that cloud and management profile give. */
export function useSettingsPlan(vnfd: Vnfd, draft: Draft): SettingsPlan {
  const { vimId, flavourId, levelId, scale } = draft;
  const settled = useDebounced(JSON.stringify(steering(vnfd, draft)));
  const input = useMemo(() => {
    if (!vimId) return undefined;
    const raw = JSON.parse(settled) as Draft["raw"];
    const request = toRequest(vnfd, { ...draft, vimId, flavourId, levelId, scale, raw, createFlavors: undefined });
    return { operation: "INSTANTIATE" as const, vnfdId: vnfd.vnfdId, request };
    // Only these values change the plan; others need no new request.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [vnfd, vimId, flavourId, levelId, scale, settled]);
  const { plan, pending } = usePlan(input);
  // The previous values stay until new ones arrive, so that fields do not fall back to the package's defaults for a
  // moment.
  const [last, setLast] = useState<PlanResult["settings"]>();
  const found = pending ? last : plan?.result?.settings;
  if (found !== last) setLast(found);
  const planned = useMemo(() => new Map(found?.map((each) => [each.name, each])), [found]);
  return { proposals: plannedFlavors(plan), planned, asking: pending };
}
