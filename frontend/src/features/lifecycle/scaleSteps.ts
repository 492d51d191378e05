import { t } from "@lingui/core/macro";
import type { Flavour, ScaleStatus, Vnfc } from "@/api/types";

/** Numbers of VNFCs at the present level, in one step, and at the highest level. */
interface AspectVms {
  now: number;
  step: number;
  most: number;
}

/** Undefined while the flavour is unknown. */
export function vmsOf(
  { aspectId, level, maxLevel }: ScaleStatus,
  vnfcs: readonly Vnfc[],
  flavour: Flavour | undefined,
): AspectVms | undefined {
  const deltas = flavour?.scalingAspects.find(({ id }) => id === aspectId)?.deltas;
  if (!deltas) return undefined;
  const now = vnfcs.filter((vnfc) => deltas.some(({ vduId }) => vduId === vnfc.vduId)).length;
  const step = deltas.reduce((sum, each) => sum + each.step, 0);
  return { now, step, most: now + (maxLevel - level) * step };
}

/** "2 of 20 VMs, level 1" */
export const levelText = ({ level, maxLevel }: ScaleStatus, vms: AspectVms | undefined): string =>
  vms ? t`${vms.now} of ${vms.most} VMs, level ${level}` : t`level ${level} of ${maxLevel}`;

/** "Data path VMs: 1 → 2 (of 20), level 0 → 1 (of 19)" */
export function stepsText({ name, level, maxLevel }: ScaleStatus, vms: AspectVms | undefined, steps: number): string {
  const levels = t`level ${level} → ${level + steps} (of ${maxLevel})`;
  return vms
    ? t`${name}: VMs ${vms.now} → ${vms.now + steps * vms.step} (of ${vms.most}), ${levels}`
    : `${name}: ${levels}`;
}

export const remainingSteps = (aspect: ScaleStatus, type: "SCALE_OUT" | "SCALE_IN"): number =>
  type === "SCALE_OUT" ? aspect.maxLevel - aspect.level : aspect.level;
