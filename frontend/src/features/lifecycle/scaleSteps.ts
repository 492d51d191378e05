import type { ScaleStatus } from "@/api/types";

/** How many steps an aspect can still be scaled in that direction. */
export const remainingSteps = (aspect: ScaleStatus, type: "SCALE_OUT" | "SCALE_IN"): number =>
  type === "SCALE_OUT" ? aspect.maxLevel - aspect.level : aspect.level;
