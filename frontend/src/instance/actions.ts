import type { Action, ScaleStatus, VnfInstance } from "@/api/types";
import { actionOf } from "@/ui/ActionButton";

export type Button = "instantiate" | "scale_out" | "scale_in" | "scale_to_level" | "terminate" | "delete";

export const room = (aspect: ScaleStatus, type: "SCALE_OUT" | "SCALE_IN"): number =>
  type === "SCALE_OUT" ? aspect.maxLevel - aspect.level : aspect.level;

/** The server's table knows one action "scale"; which way there is room to go follows from the levels. */
function scaleAction(instance: VnfInstance, type: "SCALE_OUT" | "SCALE_IN"): Action | undefined {
  const action = actionOf(instance.actions, "scale");
  if (!action?.enabled || instance.scale.some((aspect) => room(aspect, type) > 0)) return action;
  if (instance.scale.length === 0)
    return { ...action, enabled: false, disabledReason: "The VNFD has no scaling aspect." };
  const end = type === "SCALE_OUT" ? "highest" : "lowest";
  return { ...action, enabled: false, disabledReason: `Every scaling aspect is at its ${end} level.` };
}

/** The line of the action table behind a button of the instance page. */
export function buttonAction(instance: VnfInstance, button: Button): Action | undefined {
  if (button === "scale_out") return scaleAction(instance, "SCALE_OUT");
  if (button === "scale_in") return scaleAction(instance, "SCALE_IN");
  return actionOf(instance.actions, button);
}
