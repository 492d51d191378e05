import { t } from "@lingui/core/macro";
import type { Flavour, ScaleStatus, Vnfc } from "@/api/types";

/** VNFCs of a scaling aspect: now, of one step, and at the highest level. */
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

/** "2 of 20 VMs become 3: level 1 becomes 2 of 19." */
export function stepsText({ level, maxLevel }: ScaleStatus, vms: AspectVms | undefined, steps: number): string {
  const levels = t`level ${level} becomes ${level + steps} of ${maxLevel}`;
  return vms ? t`${vms.now} of ${vms.most} VMs become ${vms.now + steps * vms.step}: ${levels}.` : `${levels}.`;
}

/** How many steps an aspect can still be scaled in that direction. */
export const remainingSteps = (aspect: ScaleStatus, type: "SCALE_OUT" | "SCALE_IN"): number =>
  type === "SCALE_OUT" ? aspect.maxLevel - aspect.level : aspect.level;
