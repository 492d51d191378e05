/** The only place that gives a state its text, colour and icon. */
import { t } from "@lingui/core/macro";
import type { ComponentType } from "react";
import BanIcon from "@patternfly/react-icons/dist/esm/icons/ban-icon";
import CheckCircleIcon from "@patternfly/react-icons/dist/esm/icons/check-circle-icon";
import CircleIcon from "@patternfly/react-icons/dist/esm/icons/outlined-circle-icon";
import ExclamationCircleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon";
import ExclamationTriangleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon";
import HourglassHalfIcon from "@patternfly/react-icons/dist/esm/icons/hourglass-half-icon";
import InfoCircleIcon from "@patternfly/react-icons/dist/esm/icons/info-circle-icon";
import MinusCircleIcon from "@patternfly/react-icons/dist/esm/icons/minus-circle-icon";
import PlusCircleIcon from "@patternfly/react-icons/dist/esm/icons/plus-circle-icon";
import PowerOffIcon from "@patternfly/react-icons/dist/esm/icons/power-off-icon";
import QuestionCircleIcon from "@patternfly/react-icons/dist/esm/icons/question-circle-icon";
import SeverityCriticalIcon from "@patternfly/react-icons/dist/esm/icons/severity-critical-icon";
import SeverityImportantIcon from "@patternfly/react-icons/dist/esm/icons/severity-important-icon";
import SeverityMinorIcon from "@patternfly/react-icons/dist/esm/icons/severity-minor-icon";
import SeverityModerateIcon from "@patternfly/react-icons/dist/esm/icons/severity-moderate-icon";
import SeverityUndefinedIcon from "@patternfly/react-icons/dist/esm/icons/severity-undefined-icon";
import SyncAltIcon from "@patternfly/react-icons/dist/esm/icons/sync-alt-icon";
import UndoIcon from "@patternfly/react-icons/dist/esm/icons/undo-icon";
import type { MapState } from "@/api/topology";
import type * as T from "@/api/types";

type Color = "blue" | "cyan" | "green" | "orange" | "purple" | "red" | "orangered" | "grey" | "yellow";

export interface Look {
  text: string;
  color: Color;
  icon: ComponentType;
  /** The state will change by itself. */
  moving?: boolean;
  /** The label is filled with its colour, so that severities are visible from afar. */
  filled?: boolean;
}

const look = (text: string, color: Color, icon: ComponentType, moving = false): Look => ({ text, color, icon, moving });
const UNKNOWN = look(t`Unknown`, "grey", QuestionCircleIcon);

const severity = (text: string, color: Color, icon: ComponentType): Look => ({ text, color, icon, filled: true });
/**
 * Red, orange, yellow, cyan, grey: the practice of network managers with X.733's severities; each has an icon of its
 * own.
 */
export const SEVERITY: Record<T.Severity, Look> = {
  CRITICAL: severity(t`Critical`, "red", SeverityCriticalIcon),
  MAJOR: severity(t`Major`, "orangered", SeverityImportantIcon),
  MINOR: severity(t`Minor`, "yellow", SeverityModerateIcon),
  WARNING: severity(t`Warning`, "cyan", SeverityMinorIcon),
  INDETERMINATE: severity(t`Indeterminate`, "grey", SeverityUndefinedIcon),
  CLEARED: look(t`Cleared`, "green", CheckCircleIcon),
};
/** X.733 clause 8.1.2.3, worst first. */
export const SEVERITIES = Object.keys(SEVERITY) as T.Severity[];

export const ACKNOWLEDGED: Look = look(t`Acknowledged`, "blue", CheckCircleIcon);

export const OPERATION_STATE: Record<T.OperationState, Look> = {
  STARTING: look(t`Starting`, "blue", SyncAltIcon, true),
  PROCESSING: look(t`Processing`, "blue", SyncAltIcon, true),
  COMPLETED: look(t`Completed`, "green", CheckCircleIcon),
  FAILED_TEMP: look(t`Failed: action required`, "orange", ExclamationTriangleIcon),
  FAILED: look(t`Failed`, "red", ExclamationCircleIcon),
  ROLLING_BACK: look(t`Rolling back`, "orange", UndoIcon, true),
  ROLLED_BACK: look(t`Rolled back`, "purple", UndoIcon),
};

export const SNAPSHOT_STATE: Record<T.InstanceSnapshot["state"], Look> = {
  CREATING: look(t`Being taken`, "blue", SyncAltIcon, true),
  AVAILABLE: look(t`Available`, "green", CheckCircleIcon),
  INCOMPLETE: look(t`Incomplete`, "red", ExclamationCircleIcon),
  DELETING: look(t`Being deleted`, "orange", SyncAltIcon, true),
};

export const CHECK: Record<T.ConditionStatus, Look> = {
  True: look(t`Met`, "green", CheckCircleIcon),
  False: look(t`Not met`, "red", ExclamationCircleIcon),
  Unknown: UNKNOWN,
};

export const MAY_LOG_IN = {
  yes: look(t`Active`, "green", CheckCircleIcon),
  no: look(t`Disabled`, "grey", BanIcon),
} satisfies Record<string, Look>;

export const ANSWERED = {
  done: look(t`Done`, "green", CheckCircleIcon),
  refused: look(t`Refused`, "orange", BanIcon),
  failed: look(t`Failed`, "red", ExclamationCircleIcon),
} satisfies Record<string, Look>;

export const DELIVERING: Record<T.ConditionStatus, Look> = {
  True: look(t`Delivering`, "green", CheckCircleIcon),
  False: look(t`Not delivering`, "red", ExclamationCircleIcon),
  Unknown: UNKNOWN,
};

export const RECEIVER: Record<T.ConditionStatus, Look> = {
  True: look(t`Listening`, "green", CheckCircleIcon),
  False: look(t`Not listening`, "red", ExclamationCircleIcon),
  Unknown: UNKNOWN,
};

export const STEP_STATE: Record<T.StepState, Look> = {
  PENDING: look(t`Pending`, "grey", CircleIcon),
  RUNNING: look(t`Running`, "blue", SyncAltIcon, true),
  WAITING: look(t`Waiting`, "blue", HourglassHalfIcon, true),
  DONE: look(t`Done`, "green", CheckCircleIcon),
  FAILED: look(t`Failed`, "red", ExclamationCircleIcon),
  UNDOING: look(t`Undoing`, "orange", UndoIcon, true),
  UNDONE: look(t`Undone`, "purple", UndoIcon),
};

export const INSTANTIATION: Record<T.InstantiationState, Look> = {
  INSTANTIATED: look(t`Instantiated`, "green", CheckCircleIcon),
  NOT_INSTANTIATED: look(t`Not instantiated`, "grey", CircleIcon),
};

export const ONBOARDING: Record<T.OnboardingState, Look> = {
  CREATED: look(t`Created, no content yet`, "grey", CircleIcon),
  UPLOADING: look(t`Uploading`, "blue", SyncAltIcon, true),
  PROCESSING: look(t`Processing`, "blue", SyncAltIcon, true),
  ONBOARDED: look(t`Onboarded`, "green", CheckCircleIcon),
  ERROR: look(t`Onboarding failed`, "red", ExclamationCircleIcon),
};

/** A package with a wrong signature does not enter the catalog. */
export const SIGNATURE: Record<T.PackageSignature["state"], Look> = {
  VALID: look(t`Signed by a trusted signer`, "green", CheckCircleIcon),
  UNKNOWN_SIGNER: look(t`Signed by an unknown signer`, "orange", QuestionCircleIcon),
  UNSIGNED: look(t`Not signed`, "grey", CircleIcon),
};

/** The worst severity comes first. */
export const FINDING: Record<T.FindingSeverity, Look> = {
  error: look(t`Error`, "red", ExclamationCircleIcon),
  warning: look(t`Warning`, "orange", ExclamationTriangleIcon),
  note: look(t`Note`, "blue", InfoCircleIcon),
};
export const FINDING_SEVERITIES = Object.keys(FINDING) as T.FindingSeverity[];

export const FILE_CHANGE: Record<"added" | "removed" | "changed" | "same", Look> = {
  added: look(t`Added`, "green", PlusCircleIcon),
  removed: look(t`Removed`, "red", MinusCircleIcon),
  changed: look(t`Changed`, "blue", SyncAltIcon),
  same: look(t`Same`, "grey", CircleIcon),
};

export const USAGE: Record<string, Look> = {
  IN_USE: look(t`In use`, "blue", InfoCircleIcon),
  NOT_IN_USE: look(t`Not in use`, "grey", CircleIcon),
  DISABLED: look(t`Disabled`, "grey", BanIcon),
};

export const PLAN_ACTION: Record<T.PlanResource["action"], Look> = {
  create: look(t`Create`, "green", PlusCircleIcon),
  keep: look(t`Keep`, "grey", CircleIcon),
  update: look(t`Update`, "blue", SyncAltIcon),
  delete: look(t`Delete`, "red", MinusCircleIcon),
  replace: look(t`Replace`, "orange", SyncAltIcon),
};

export const GRANTED_BY: Record<T.Grant["grantedBy"], string> = { vnfm: t`the VNF manager itself`, nfvo: t`the NFVO` };

export const REMOVAL: Record<Exclude<T.RemovalState, "NONE">, Look> = {
  REQUESTED: look(t`Being removed`, "blue", SyncAltIcon, true),
  FAILED: look(t`Removal failed`, "red", ExclamationCircleIcon),
  REMOVED: look(t`Removed`, "grey", MinusCircleIcon),
};

/** Nova's server statuses (compute API reference, "server status"), plus our UNKNOWN and MISSING. */
const SERVER_STATUS: Record<string, Look> = {
  ACTIVE: look(t`Active`, "green", CheckCircleIcon),
  BUILD: look(t`Building`, "blue", SyncAltIcon, true),
  REBUILD: look(t`Rebuilding`, "blue", SyncAltIcon, true),
  REBOOT: look(t`Rebooting`, "blue", SyncAltIcon, true),
  HARD_REBOOT: look(t`Rebooting (hard)`, "blue", SyncAltIcon, true),
  RESIZE: look(t`Resizing`, "blue", SyncAltIcon, true),
  VERIFY_RESIZE: look(t`Resized, not confirmed`, "blue", SyncAltIcon, true),
  REVERT_RESIZE: look(t`Reverting the resize`, "blue", SyncAltIcon, true),
  MIGRATING: look(t`Migrating`, "blue", SyncAltIcon, true),
  PASSWORD: look(t`Setting the password`, "blue", SyncAltIcon, true),
  RESCUE: look(t`In rescue mode`, "orange", PowerOffIcon),
  SHELVED: look(t`Shelved`, "orange", PowerOffIcon),
  SHELVED_OFFLOADED: look(t`Shelved`, "orange", PowerOffIcon),
  SOFT_DELETED: look(t`Deleted, can be restored`, "red", ExclamationCircleIcon),
  SHUTOFF: look(t`Stopped`, "orange", PowerOffIcon),
  PAUSED: look(t`Paused`, "orange", PowerOffIcon),
  SUSPENDED: look(t`Suspended`, "orange", PowerOffIcon),
  ERROR: look(t`Error`, "red", ExclamationCircleIcon),
  DELETED: look(t`Missing`, "red", ExclamationCircleIcon),
  MISSING: look(t`Missing`, "red", ExclamationCircleIcon),
};
export function serverStatus(status: string): Look {
  if (status === "UNKNOWN") return UNKNOWN;
  return SERVER_STATUS[status.toUpperCase()] ?? look(status, "grey", InfoCircleIcon);
}

/** Neutron's port statuses, plus our MISSING and UNKNOWN. */
const PORT_STATUS: Record<string, Look> = {
  ACTIVE: look(t`Up`, "green", CheckCircleIcon),
  DOWN: look(t`Down`, "red", ExclamationCircleIcon),
  BUILD: look(t`Building`, "blue", SyncAltIcon, true),
  ERROR: look(t`Error`, "red", ExclamationCircleIcon),
  MISSING: look(t`Missing`, "red", BanIcon),
};
export function portStatus(status: string): Look {
  if (status === "UNKNOWN" || status === "") return UNKNOWN;
  return PORT_STATUS[status.toUpperCase()] ?? look(status, "grey", InfoCircleIcon);
}

// ---- network elements: green, yellow and red as on the maps of 5620 SAM, and a word each --------------------------

export const ELEMENT_KIND: Record<T.ElementKind, string> = { PHYSICAL: t`Physical`, VIRTUAL: t`Virtual` };

export const ELEMENT_STATE: Record<T.ElementState, Look> = {
  MANAGED: look(t`Managed`, "green", CheckCircleIcon),
  SUSPENDED: look(t`Suspended`, "orange", BanIcon),
  UNMANAGED: look(t`Unmanaged`, "grey", CircleIcon),
};

export const RESYNC: Record<T.ResyncState, Look> = {
  NEVER: look(t`Never`, "grey", CircleIcon),
  WAITING: look(t`Waiting`, "yellow", HourglassHalfIcon, true),
  RUNNING: look(t`Running`, "yellow", SyncAltIcon, true),
  DONE: look(t`Done`, "green", CheckCircleIcon),
  FAILED: look(t`Failed`, "red", ExclamationCircleIcon),
};

export const EQUIPMENT_STATE: Record<T.EquipmentState, Look> = {
  IN_SERVICE: look(t`In service`, "green", CheckCircleIcon),
  OUT_OF_SERVICE: look(t`Out of service`, "red", MinusCircleIcon),
  FAILED: look(t`Failed`, "red", ExclamationCircleIcon),
  BOOTING: look(t`Booting`, "yellow", SyncAltIcon, true),
  EMPTY: look(t`Empty`, "grey", CircleIcon),
  PROVISIONED: look(t`Provisioned, missing`, "orange", ExclamationTriangleIcon),
  DIAGNOSING: look(t`Diagnosing`, "yellow", HourglassHalfIcon),
  MISSING: look(t`Missing`, "red", ExclamationTriangleIcon),
  UNKNOWN,
};

export const ADMIN_STATE: Record<T.AdminState, Look> = {
  UP: look(t`Up`, "green", CheckCircleIcon),
  DOWN: look(t`Down`, "grey", PowerOffIcon),
  UNKNOWN,
};

export const INTERFACE_STATUS: Record<T.InterfaceStatus, Look> = {
  UP: look(t`Up`, "green", CheckCircleIcon),
  DOWN: look(t`Down`, "red", MinusCircleIcon),
  TESTING: look(t`Testing`, "yellow", HourglassHalfIcon),
  UNKNOWN,
  DORMANT: look(t`Dormant`, "grey", CircleIcon),
  NOT_PRESENT: look(t`Not present`, "grey", CircleIcon),
  LOWER_LAYER_DOWN: look(t`Lower layer down`, "red", MinusCircleIcon),
};

export const BGP_STATE: Record<T.BgpState, Look> = {
  IDLE: look(t`Idle`, "red", MinusCircleIcon),
  CONNECT: look(t`Connect`, "orange", SyncAltIcon),
  ACTIVE: look(t`Active`, "orange", SyncAltIcon),
  OPEN_SENT: look(t`Open sent`, "yellow", SyncAltIcon),
  OPEN_CONFIRM: look(t`Open confirm`, "yellow", SyncAltIcon),
  ESTABLISHED: look(t`Established`, "green", CheckCircleIcon),
  UNKNOWN,
};

/**
 * LLDP reports a neighbour (FULL) or has lost it; BFD's states are those of RFC 5880, the others OSPF's (RFC 2328,
 * 10.1).
 */
export const ADJACENCY_STATE: Record<T.AdjacencyState, Look> = {
  DOWN: look(t`Down`, "red", MinusCircleIcon),
  ATTEMPT: look(t`Attempt`, "orange", SyncAltIcon),
  INIT: look(t`Init`, "orange", SyncAltIcon),
  TWO_WAY: look(t`Two-way`, "green", CheckCircleIcon),
  EXCHANGE_START: look(t`Exchange start`, "yellow", SyncAltIcon),
  EXCHANGE: look(t`Exchange`, "yellow", SyncAltIcon),
  LOADING: look(t`Loading`, "yellow", SyncAltIcon),
  FULL: look(t`Full`, "green", CheckCircleIcon),
  UP: look(t`Up`, "green", CheckCircleIcon),
  ADMIN_DOWN: look(t`Shut down`, "grey", MinusCircleIcon),
  LOST: look(t`Lost`, "red", MinusCircleIcon),
  UNKNOWN,
};

/** The mate of this VNFC in its pair (1+1) does not run. */
export const UNPROTECTED: Look = look(t`Unprotected`, "orange", ExclamationTriangleIcon);

export const DISCOVERED: Record<T.DiscoveryResult["outcome"], Look> = {
  REGISTERED: look(t`Registered`, "green", PlusCircleIcon),
  KNOWN: look(t`Already registered`, "grey", CheckCircleIcon),
  REFUSED: look(t`Refused`, "red", BanIcon),
  NOT_REGISTERED: look(t`Not registered`, "orange", ExclamationTriangleIcon),
};

// ---- automation --------------------------------------------------------------------------------------------------

export const DECISION: Record<T.AutomationOutcome, Look> = {
  ACTED: look(t`Acted`, "blue", SyncAltIcon),
  WOULD_ACT: look(t`Would act`, "purple", InfoCircleIcon),
  HELD_BACK: look(t`Blocked`, "orange", BanIcon),
  AT_REST: look(t`Nothing to do`, "grey", CheckCircleIcon),
};
export const AUTOMATION_STATE: Record<T.AutomationPolicy["state"], Look> = {
  ENABLED: look(t`Enabled`, "green", CheckCircleIcon),
  PAUSED: look(t`Paused`, "orange", BanIcon),
};

export const THRESHOLD_STATE: Record<T.ThresholdRule["state"], Look> = {
  CROSSED: look(t`Crossed`, "red", ExclamationCircleIcon),
  WITHIN: look(t`Within`, "green", CheckCircleIcon),
  UNKNOWN,
};

// ---- a cloud as its watcher sees it --------------------------------------------------------------------------------

export function listeningLook(status: T.ConditionStatus | "off"): Look {
  if (status === "off") return look(t`Off`, "grey", CircleIcon);
  if (status === "Unknown") return UNKNOWN;
  return status === "True"
    ? look(t`Receiving`, "green", CheckCircleIcon)
    : look(t`Not receiving`, "red", ExclamationCircleIcon);
}
export function hostLook(state: string): Look {
  if (state === "up") return look(t`Up`, "green", CheckCircleIcon);
  return state === "down" ? look(t`Down`, "red", ExclamationCircleIcon) : UNKNOWN;
}
export const HOST_STATE: Record<string, string> = { enabled: t`Enabled`, disabled: t`Disabled`, UNKNOWN: t`Unknown` };

/** Undefined for a site without elements. */
export function siteLook(site: Pick<T.AlarmSiteSummary, "elements" | "unreachable" | "unknown">): Look | undefined {
  const { unreachable, unknown } = site;
  if (unreachable > 0) {
    const text = unknown > 0 ? t`${unreachable} unreachable, ${unknown} unknown` : t`${unreachable} unreachable`;
    return look(text, "red", ExclamationCircleIcon);
  }
  if (unknown > 0) return look(t`${unknown} unknown`, "grey", QuestionCircleIcon);
  return site.elements > 0 ? look(t`Reachable`, "green", CheckCircleIcon) : undefined;
}

/** A running operation makes an instance neither available nor unavailable. */
export const BEING_CHANGED: Look = look(t`Being changed`, "blue", SyncAltIcon, true);

const CONDITION_WORDS: Record<string, { True: string; False: string; bad: Color }> = {
  Available: { True: t`Available`, False: t`Not available`, bad: "red" },
  Progressing: { True: t`In progress`, False: t`Idle`, bad: "grey" },
  InSync: { True: t`In sync`, False: t`Drifted`, bad: "orange" },
  VimReachable: { True: t`Cloud reachable`, False: t`Cloud unreachable`, bad: "red" },
  Reachable: { True: t`Reachable`, False: t`Unreachable`, bad: "red" },
};
export function conditionLook(condition: Pick<T.Condition, "type" | "status" | "reason">): Look {
  const words = CONDITION_WORDS[condition.type] ?? {
    True: condition.type,
    False: t`Not ${condition.type}`,
    bad: "orange",
  };
  const progressing = condition.type === "Progressing";
  if (condition.reason === "OperationRunning" && !progressing) return BEING_CHANGED;
  if (condition.status === "Unknown") return look(t`${words.True}: unknown`, "grey", QuestionCircleIcon);
  if (condition.type === "Available" && condition.reason === "Degraded") {
    return look(t`Available, degraded`, "orange", ExclamationTriangleIcon);
  }
  if (condition.type === "VimReachable" && condition.reason === "Slow") {
    return look(t`Cloud answers late`, "orange", ExclamationTriangleIcon);
  }
  if (condition.reason === "WaitsForDecision") return look(t`Action required`, "orange", ExclamationTriangleIcon);
  if (condition.status === "True") {
    return progressing ? look(words.True, "blue", SyncAltIcon, true) : look(words.True, "green", CheckCircleIcon);
  }
  return look(words.False, words.bad, progressing ? CircleIcon : ExclamationCircleIcon);
}
/** Nothing is known of a server that is UNKNOWN. */
export function isAsDesired(status: string, desired: T.Vnfc["desired"]): boolean {
  return status === "UNKNOWN" || status.toUpperCase() === (desired === "STARTED" ? "ACTIVE" : "SHUTOFF");
}

/** Green, yellow and red as in 5620 SAM. */
export const MAP_STATE: Record<MapState, Look> = {
  UP: look(t`Up`, "green", CheckCircleIcon),
  CHANGING: look(t`Changing`, "yellow", SyncAltIcon, true),
  DEGRADED: look(t`Degraded`, "orange", ExclamationTriangleIcon),
  DOWN: look(t`Down`, "red", ExclamationCircleIcon),
  UNKNOWN,
};

export const lookOf = <K extends string>(table: Record<K, Look>, key: string): Look =>
  (table as Record<string, Look>)[key] ?? { ...UNKNOWN, text: key };
