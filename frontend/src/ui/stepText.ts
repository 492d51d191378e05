import type { Flavour } from "@/api/types";

/** "1 × master, 2 × worker" */
export const stepText = (deltas: Flavour["scalingAspects"][number]["deltas"], steps = 1): string =>
  deltas.map(({ vduId, step }) => `${step * steps} × ${vduId}`).join(", ");
