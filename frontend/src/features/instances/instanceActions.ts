import { t } from "@lingui/core/macro";
import type { Action, VnfInstance } from "@/api/types";
import { remainingSteps } from "@/features/lifecycle/scaleSteps";
import { actionOf } from "@/ui/ActionButton";

/** Texts are those of the buttons. */
export const ACTIONS = {
  instantiate: t`Instantiate`,
  scale_out: t`Scale out`,
  scale_in: t`Scale in`,
  heal: t`Heal`,
  scale_to_level: t`Scale to level`,
  change_flavour: t`Change deployment flavour`,
  start: t`Start`,
  stop: t`Stop`,
  change_ext_conn: t`Change connectivity`,
  change_vnfpkg: t`Upgrade`,
  modify_info: t`Edit information`,
  clone: t`Clone`,
  save_settings: t`Save settings as…`,
  forget: t`Stop managing`,
  terminate: t`Terminate`,
  delete: t`Delete`,
} as const;
export type Button = keyof typeof ACTIONS;

/** These actions have buttons; the others are in the menu. */
const IN_FRONT: Record<VnfInstance["instantiationState"], Button[]> = {
  INSTANTIATED: ["scale_out", "scale_in", "heal", "terminate"],
  NOT_INSTANTIATED: ["instantiate", "delete"],
};
/** An instantiated instance does not offer "Instantiate"; all other actions are shown, enabled or not. */
export function buttonsFor(state: VnfInstance["instantiationState"]): { front: Button[]; menu: Button[] } {
  const front = IN_FRONT[state];
  const rest = (Object.keys(ACTIONS) as Button[]).filter((name) => !front.includes(name) && name !== "instantiate");
  return { front, menu: rest };
}

const disabled = (action: Action, disabledReason: string): Action => ({ ...action, enabled: false, disabledReason });

/** The server's table has one action "scale"; the levels decide which directions are possible. */
function scaleAction(instance: VnfInstance, type: "SCALE_OUT" | "SCALE_IN"): Action | undefined {
  const action = actionOf(instance.actions, "scale");
  if (!action?.enabled || instance.scale.some((aspect) => remainingSteps(aspect, type) > 0)) return action;
  if (instance.scale.length === 0) return disabled(action, t`The VNFD has no scaling aspect.`);
  return disabled(
    action,
    type === "SCALE_OUT"
      ? t`All scaling aspects are at their maximum level.`
      : t`All scaling aspects are at their minimum level.`,
  );
}

/** The table has one action "operate": starting needs a stopped VNFC, stopping a started one. */
function powerAction(instance: VnfInstance, desired: "STARTED" | "STOPPED"): Action | undefined {
  const action = actionOf(instance.actions, "operate");
  const status = desired === "STARTED" ? "ACTIVE" : "SHUTOFF";
  const nothing = instance.vnfcs.every((vnfc) => vnfc.desired === desired && vnfc.status === status);
  if (!action?.enabled || !nothing) return action;
  return disabled(
    action,
    desired === "STARTED" ? t`All VNFCs are already running.` : t`All VNFCs are already stopped.`,
  );
}

/** Forgetting an instance is not an ETSI operation; only a running operation prevents it. */
function forgetAction(instance: VnfInstance): Action {
  const action = { action: "forget", enabled: true, disabledReason: "" };
  if (instance.instantiationState !== "INSTANTIATED")
    return disabled(action, t`It has no resources in a cloud: delete it.`);
  return actionOf(instance.actions, "terminate")?.enabled === false
    ? disabled(action, actionOf(instance.actions, "terminate")?.disabledReason ?? "")
    : action;
}

/** Reading the settings changes nothing, so a running operation does not prevent it. */
function settingsAction({ instantiationState }: VnfInstance, action: string): Action {
  const lit = { action, enabled: true, disabledReason: "" };
  return instantiationState === "INSTANTIATED" ? lit : disabled(lit, t`It is not instantiated, so it has no settings.`);
}

export function buttonAction(instance: VnfInstance, button: Button): Action | undefined {
  switch (button) {
    case "scale_out":
      return scaleAction(instance, "SCALE_OUT");
    case "scale_in":
      return scaleAction(instance, "SCALE_IN");
    case "start":
      return powerAction(instance, "STARTED");
    case "stop":
      return powerAction(instance, "STOPPED");
    case "forget":
      return forgetAction(instance);
    case "clone":
      return { action: button, enabled: true, disabledReason: "" };
    case "save_settings":
      return settingsAction(instance, button);
    default:
      return actionOf(instance.actions, button);
  }
}
