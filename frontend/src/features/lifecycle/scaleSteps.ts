import type { Flavour, ScaleStatus } from "@/api/types";

/** How many steps an aspect can still be scaled in that direction. */
export const remainingSteps = (aspect: ScaleStatus, type: "SCALE_OUT" | "SCALE_IN"): number =>
  type === "SCALE_OUT" ? aspect.maxLevel - aspect.level : aspect.level;

/** What so many steps are: "1 × master, 2 × worker". */
export const stepText = (deltas: Flavour["scalingAspects"][number]["deltas"], steps = 1): string =>
  deltas.map(({ vduId, step }) => `${step * steps} × ${vduId}`).join(", ");
