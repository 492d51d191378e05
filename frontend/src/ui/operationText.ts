import { t } from "@lingui/core/macro";
import type * as T from "@/api/types";
import { lookOf, OPERATION_STATE, type Look } from "./states";

const OPERATION: Record<string, string> = {
  INSTANTIATE: t`Instantiate`,
  SCALE: t`Scale`,
  SCALE_TO_LEVEL: t`Scale to level`,
  CHANGE_FLAVOUR: t`Change deployment flavour`,
  HEAL: t`Heal`,
  CHANGE_EXT_CONN: t`Change connectivity`,
  CHANGE_VNFPKG: t`Upgrade`,
  MODIFY_INFO: t`Edit information`,
  TERMINATE: t`Terminate`,
  CREATE_SNAPSHOT: t`Take a snapshot`,
  REVERT_TO_SNAPSHOT: t`Revert to a snapshot`,
};
/** The text of an operation with two directions depends on its request. */
export function operationText(occ: {
  operation: string;
  operationParams?: Record<string, unknown> | undefined;
}): string {
  if (occ.operation === "OPERATE") return occ.operationParams?.["changeStateTo"] === "STOPPED" ? t`Stop` : t`Start`;
  if (occ.operation === "SCALE" && occ.operationParams?.["type"] === "SCALE_OUT") return t`Scale out`;
  if (occ.operation === "SCALE" && occ.operationParams?.["type"] === "SCALE_IN") return t`Scale in`;
  return OPERATION[occ.operation] ?? occ.operation;
}

const CHANGING: Record<string, string> = {
  INSTANTIATE: t`Instantiating`,
  SCALE: t`Scaling`,
  SCALE_TO_LEVEL: t`Scaling to a level`,
  CHANGE_FLAVOUR: t`Changing the deployment flavour`,
  HEAL: t`Healing`,
  CHANGE_EXT_CONN: t`Changing the connectivity`,
  CHANGE_VNFPKG: t`Upgrading`,
  MODIFY_INFO: t`Editing the information`,
  TERMINATE: t`Terminating`,
  CREATE_SNAPSHOT: t`Taking a snapshot`,
  REVERT_TO_SNAPSHOT: t`Reverting to a snapshot`,
};
type NamedOperation = Parameters<typeof operationText>[0];

function changingText(occ: NamedOperation): string {
  if (occ.operation === "OPERATE")
    return occ.operationParams?.["changeStateTo"] === "STOPPED" ? t`Stopping` : t`Starting`;
  if (occ.operation === "SCALE" && occ.operationParams?.["type"] === "SCALE_OUT") return t`Scaling out`;
  if (occ.operation === "SCALE" && occ.operationParams?.["type"] === "SCALE_IN") return t`Scaling in`;
  return CHANGING[occ.operation] ?? operationText(occ);
}

/** "Instantiating 4/7", "Heal: action required"; an unknown number of steps is left out. */
export function changingLook(
  occ: NamedOperation & { operationState: T.OperationState },
  steps?: { done: number; all: number },
): Look {
  const how = lookOf(OPERATION_STATE, occ.operationState);
  const count = steps && steps.all > 0 ? ` ${steps.done}/${steps.all}` : "";
  if (occ.operationState === "STARTING" || occ.operationState === "PROCESSING")
    return { ...how, text: `${changingText(occ)}${count}` };
  if (occ.operationState === "FAILED_TEMP") return { ...how, text: t`${operationText(occ)}: action required` };
  return { ...how, text: `${operationText(occ)}: ${how.text.toLowerCase()}` };
}
