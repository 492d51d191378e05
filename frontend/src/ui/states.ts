/** The one home of what a state looks like: its words, its colour, its icon. Nothing else in the console picks a colour. */
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
import SyncAltIcon from "@patternfly/react-icons/dist/esm/icons/sync-alt-icon";
import UndoIcon from "@patternfly/react-icons/dist/esm/icons/undo-icon";
import type { MapState } from "@/api/topology";
import type * as T from "@/api/types";

export type Color = "blue" | "teal" | "green" | "orange" | "purple" | "red" | "orangered" | "grey" | "yellow";

export interface Look {
  text: string;
  color: Color;
  icon: ComponentType;
  /** True while the state is on its way to another one. */
  moving?: boolean;
}

const look = (text: string, color: Color, icon: ComponentType, moving = false): Look => ({ text, color, icon, moving });
const UNKNOWN = look("Unknown", "grey", QuestionCircleIcon);

export const SEVERITY: Record<T.Severity, Look> = {
  CRITICAL: look("Critical", "red", ExclamationCircleIcon),
  MAJOR: look("Major", "orangered", ExclamationCircleIcon),
  MINOR: look("Minor", "yellow", ExclamationTriangleIcon),
  WARNING: look("Warning", "teal", InfoCircleIcon),
  INDETERMINATE: look("Indeterminate", "purple", QuestionCircleIcon),
  CLEARED: look("Cleared", "green", CheckCircleIcon),
};
/** X.733 clause 8.1.2.3, worst first. */
export const SEVERITIES = Object.keys(SEVERITY) as T.Severity[];

export const ACKNOWLEDGED: Look = look("Acknowledged", "blue", CheckCircleIcon);

export const OPERATION_STATE: Record<T.OperationState, Look> = {
  STARTING: look("Starting", "blue", SyncAltIcon, true),
  PROCESSING: look("Processing", "blue", SyncAltIcon, true),
  COMPLETED: look("Completed", "green", CheckCircleIcon),
  FAILED_TEMP: look("Failed, needs a decision", "orange", ExclamationTriangleIcon),
  FAILED: look("Failed", "red", ExclamationCircleIcon),
  ROLLING_BACK: look("Rolling back", "orange", UndoIcon, true),
  ROLLED_BACK: look("Rolled back", "purple", UndoIcon),
};

const OPERATION: Record<string, string> = {
  INSTANTIATE: "Instantiate",
  SCALE: "Scale",
  SCALE_TO_LEVEL: "Scale to level",
  CHANGE_FLAVOUR: "Change flavour",
  HEAL: "Heal",
  CHANGE_EXT_CONN: "Change connectivity",
  CHANGE_VNFPKG: "Upgrade",
  MODIFY_INFO: "Edit information",
  TERMINATE: "Terminate",
};
/** An operation's word; of one that has two directions it depends on what was asked. */
export function operationText(occ: {
  operation: string;
  operationParams?: Record<string, unknown> | undefined;
}): string {
  if (occ.operation === "OPERATE") return occ.operationParams?.["changeStateTo"] === "STOPPED" ? "Stop" : "Start";
  if (occ.operation === "SCALE" && occ.operationParams?.["type"] === "SCALE_OUT") return "Scale out";
  if (occ.operation === "SCALE" && occ.operationParams?.["type"] === "SCALE_IN") return "Scale in";
  return OPERATION[occ.operation] ?? occ.operation;
}

/** The grounds of a grant. */
export const CHECK: Record<T.ConditionStatus, Look> = {
  True: look("Met", "green", CheckCircleIcon),
  False: look("Not met", "red", ExclamationCircleIcon),
  Unknown: UNKNOWN,
};

/** Whether a user may log in. */
export const MAY_LOG_IN = {
  yes: look("Active", "green", CheckCircleIcon),
  no: look("Disabled", "grey", BanIcon),
} satisfies Record<string, Look>;

/** How a request of the audit trail ended. */
export const ANSWERED = {
  done: look("Done", "green", CheckCircleIcon),
  refused: look("Refused", "orange", BanIcon),
  failed: look("Failed", "red", ExclamationCircleIcon),
} satisfies Record<string, Look>;

/** Whether a subscriber takes what it is sent. */
export const DELIVERING: Record<T.ConditionStatus, Look> = {
  True: look("Delivers", "green", CheckCircleIcon),
  False: look("Does not deliver", "red", ExclamationCircleIcon),
  Unknown: UNKNOWN,
};

/** Whether a receiver of traps hears. */
export const RECEIVER: Record<T.ConditionStatus, Look> = {
  True: look("Hears", "green", CheckCircleIcon),
  False: look("Does not hear", "red", ExclamationCircleIcon),
  Unknown: UNKNOWN,
};

export const STEP_STATE: Record<T.StepState, Look> = {
  PENDING: look("Pending", "grey", CircleIcon),
  RUNNING: look("Running", "blue", SyncAltIcon, true),
  WAITING: look("Waiting", "blue", HourglassHalfIcon, true),
  DONE: look("Done", "green", CheckCircleIcon),
  FAILED: look("Failed", "red", ExclamationCircleIcon),
  UNDOING: look("Undoing", "orange", UndoIcon, true),
  UNDONE: look("Undone", "purple", UndoIcon),
};

export const INSTANTIATION: Record<T.InstantiationState, Look> = {
  INSTANTIATED: look("Instantiated", "green", CheckCircleIcon),
  NOT_INSTANTIATED: look("Not instantiated", "grey", CircleIcon),
};

export const ONBOARDING: Record<T.OnboardingState, Look> = {
  CREATED: look("Created, no content yet", "grey", CircleIcon),
  UPLOADING: look("Uploading", "blue", SyncAltIcon, true),
  PROCESSING: look("Processing", "blue", SyncAltIcon, true),
  ONBOARDED: look("Onboarded", "green", CheckCircleIcon),
  ERROR: look("Onboarding failed", "red", ExclamationCircleIcon),
};

/** What the signature of a package is worth; one that is wrong keeps it out of the catalog. */
export const SIGNATURE: Record<T.PackageSignature["state"], Look> = {
  VALID: look("Signed, and the signer is trusted", "green", CheckCircleIcon),
  UNKNOWN_SIGNER: look("Signed by somebody unknown", "orange", QuestionCircleIcon),
  UNSIGNED: look("Not signed", "grey", CircleIcon),
};

/** What the validation of a package finds, worst first. */
export const FINDING: Record<T.FindingSeverity, Look> = {
  error: look("Error", "red", ExclamationCircleIcon),
  warning: look("Warning", "orange", ExclamationTriangleIcon),
  note: look("Note", "blue", InfoCircleIcon),
};
export const FINDING_SEVERITIES = Object.keys(FINDING) as T.FindingSeverity[];

/** How a file of one package differs from that of another. */
export const FILE_CHANGE: Record<"added" | "removed" | "changed" | "same", Look> = {
  added: look("Added", "green", PlusCircleIcon),
  removed: look("Removed", "red", MinusCircleIcon),
  changed: look("Changed", "blue", SyncAltIcon),
  same: look("Same", "grey", CircleIcon),
};

export const USAGE: Record<string, Look> = {
  IN_USE: look("In use", "blue", InfoCircleIcon),
  NOT_IN_USE: look("Not in use", "grey", CircleIcon),
  DISABLED: look("Disabled", "grey", BanIcon),
};

export const PLAN_ACTION: Record<T.PlanResource["action"], Look> = {
  create: look("Create", "green", PlusCircleIcon),
  keep: look("Keep", "grey", CircleIcon),
  update: look("Update", "blue", SyncAltIcon),
  delete: look("Delete", "red", MinusCircleIcon),
  replace: look("Replace", "orange", SyncAltIcon),
};

export const GRANTED_BY: Record<T.Grant["grantedBy"], string> = { vnfm: "the VNF manager itself", nfvo: "the NFVO" };

/** How far the removal of something unclaimed has come. */
export const REMOVAL: Record<Exclude<T.RemovalState, "NONE">, Look> = {
  REQUESTED: look("Being removed", "blue", SyncAltIcon, true),
  FAILED: look("Removal failed", "red", ExclamationCircleIcon),
  REMOVED: look("Removed", "grey", MinusCircleIcon),
};

/** Nova's server statuses (compute API reference, "server status"), plus our UNKNOWN and MISSING. */
const SERVER_STATUS: Record<string, Look> = {
  ACTIVE: look("Active", "green", CheckCircleIcon),
  BUILD: look("Building", "blue", SyncAltIcon, true),
  REBUILD: look("Rebuilding", "blue", SyncAltIcon, true),
  REBOOT: look("Rebooting", "blue", SyncAltIcon, true),
  HARD_REBOOT: look("Rebooting (hard)", "blue", SyncAltIcon, true),
  SHUTOFF: look("Stopped", "orange", PowerOffIcon),
  PAUSED: look("Paused", "orange", PowerOffIcon),
  SUSPENDED: look("Suspended", "orange", PowerOffIcon),
  ERROR: look("Error", "red", ExclamationCircleIcon),
  DELETED: look("Missing", "red", ExclamationCircleIcon),
  MISSING: look("Missing", "red", ExclamationCircleIcon),
};
export function serverStatus(status: string): Look {
  if (status === "UNKNOWN") return UNKNOWN;
  return SERVER_STATUS[status.toUpperCase()] ?? look(status, "grey", InfoCircleIcon);
}

/** Of a Neutron port; MISSING and UNKNOWN are our words. */
const PORT_STATUS: Record<string, Look> = {
  ACTIVE: look("Up", "green", CheckCircleIcon),
  DOWN: look("Down", "red", ExclamationCircleIcon),
  BUILD: look("Being made", "blue", SyncAltIcon, true),
  ERROR: look("Error", "red", ExclamationCircleIcon),
  MISSING: look("Missing", "red", BanIcon),
};
export function portStatus(status: string): Look {
  if (status === "UNKNOWN" || status === "") return UNKNOWN;
  return PORT_STATUS[status.toUpperCase()] ?? look(status, "grey", InfoCircleIcon);
}

// ---- network elements: green, yellow and red as on the maps of 5620 SAM, and a word each --------------------------

export const ELEMENT_KIND: Record<T.ElementKind, string> = { PHYSICAL: "Physical", VIRTUAL: "Virtual" };

export const ELEMENT_STATE: Record<T.ElementState, Look> = {
  MANAGED: look("Managed", "green", CheckCircleIcon),
  SUSPENDED: look("Suspended", "orange", BanIcon),
  UNMANAGED: look("Unmanaged", "grey", CircleIcon),
};

/** Of an element's resync, and of a scan. */
export const RESYNC: Record<T.ResyncState, Look> = {
  NEVER: look("Never", "grey", CircleIcon),
  WAITING: look("Waiting", "yellow", HourglassHalfIcon, true),
  RUNNING: look("Running", "yellow", SyncAltIcon, true),
  DONE: look("Done", "green", CheckCircleIcon),
  FAILED: look("Failed", "red", ExclamationCircleIcon),
};

export const EQUIPMENT_STATE: Record<T.EquipmentState, Look> = {
  IN_SERVICE: look("In service", "green", CheckCircleIcon),
  OUT_OF_SERVICE: look("Out of service", "red", MinusCircleIcon),
  FAILED: look("Failed", "red", ExclamationCircleIcon),
  BOOTING: look("Booting", "yellow", SyncAltIcon, true),
  EMPTY: look("Empty", "grey", CircleIcon),
  PROVISIONED: look("Provisioned, not there", "orange", ExclamationTriangleIcon),
  DIAGNOSING: look("Diagnosing", "yellow", HourglassHalfIcon),
  UNKNOWN,
};

export const ADMIN_STATE: Record<T.AdminState, Look> = {
  UP: look("Up", "green", CheckCircleIcon),
  DOWN: look("Down", "grey", PowerOffIcon),
  UNKNOWN,
};

export const INTERFACE_STATUS: Record<T.InterfaceStatus, Look> = {
  UP: look("Up", "green", CheckCircleIcon),
  DOWN: look("Down", "red", MinusCircleIcon),
  TESTING: look("Testing", "yellow", HourglassHalfIcon),
  UNKNOWN,
  DORMANT: look("Dormant", "grey", CircleIcon),
  NOT_PRESENT: look("Not present", "grey", CircleIcon),
  LOWER_LAYER_DOWN: look("Lower layer down", "red", MinusCircleIcon),
};

export const BGP_STATE: Record<T.BgpState, Look> = {
  IDLE: look("Idle", "red", MinusCircleIcon),
  CONNECT: look("Connect", "orange", SyncAltIcon),
  ACTIVE: look("Active", "orange", SyncAltIcon),
  OPEN_SENT: look("Open sent", "yellow", SyncAltIcon),
  OPEN_CONFIRM: look("Open confirm", "yellow", SyncAltIcon),
  ESTABLISHED: look("Established", "green", CheckCircleIcon),
  UNKNOWN,
};

/** Of LLDP a neighbour is heard (FULL) or lost; the other words are OSPF's (RFC 2328, 10.1). */
export const ADJACENCY_STATE: Record<T.AdjacencyState, Look> = {
  DOWN: look("Down", "red", MinusCircleIcon),
  ATTEMPT: look("Attempt", "orange", SyncAltIcon),
  INIT: look("Init", "orange", SyncAltIcon),
  TWO_WAY: look("Two-way", "green", CheckCircleIcon),
  EXCHANGE_START: look("Exchange start", "yellow", SyncAltIcon),
  EXCHANGE: look("Exchange", "yellow", SyncAltIcon),
  LOADING: look("Loading", "yellow", SyncAltIcon),
  FULL: look("Full", "green", CheckCircleIcon),
  LOST: look("Lost", "red", MinusCircleIcon),
  UNKNOWN,
};

/** What became of an address that answered a discovery rule's scan. */
export const DISCOVERED: Record<T.DiscoveryResult["outcome"], Look> = {
  REGISTERED: look("Registered", "green", PlusCircleIcon),
  KNOWN: look("Known before", "grey", CheckCircleIcon),
  REFUSED: look("Refused us", "red", BanIcon),
  NOT_REGISTERED: look("Not registered", "orange", ExclamationTriangleIcon),
};

// ---- automation --------------------------------------------------------------------------------------------------

export const DECISION: Record<T.AutomationOutcome, Look> = {
  ACTED: look("Acted", "blue", SyncAltIcon),
  WOULD_ACT: look("Would act", "purple", InfoCircleIcon),
  HELD_BACK: look("Held back", "orange", BanIcon),
  AT_REST: look("Nothing to do", "grey", CheckCircleIcon),
};
export const AUTOMATION_STATE: Record<T.AutomationPolicy["state"], Look> = {
  ENABLED: look("Enabled", "green", CheckCircleIcon),
  PAUSED: look("Paused", "orange", BanIcon),
};

// ---- a cloud as its watcher sees it --------------------------------------------------------------------------------

/** Whether notifications are heard. */
export function listeningLook(status: T.ConditionStatus | "off"): Look {
  if (status === "off") return look("Off", "grey", CircleIcon);
  if (status === "Unknown") return UNKNOWN;
  return status === "True" ? look("Heard", "green", CheckCircleIcon) : look("Not heard", "red", ExclamationCircleIcon);
}
export function hostLook(state: string): Look {
  if (state === "up") return look("Up", "green", CheckCircleIcon);
  return state === "down" ? look("Down", "red", ExclamationCircleIcon) : UNKNOWN;
}
export const HOST_STATE: Record<string, string> = { enabled: "Taken", disabled: "Not taken", UNKNOWN: "Unknown" };

/** Of a site, or of all: whether its elements answer; undefined where it has none. */
export function siteLook(site: Pick<T.AlarmSiteSummary, "elements" | "unreachable" | "unknown">): Look | undefined {
  if (site.unreachable > 0) return look(`${site.unreachable} unreachable`, "red", ExclamationCircleIcon);
  if (site.unknown > 0) return look(`${site.unknown} unknown`, "grey", QuestionCircleIcon);
  return site.elements > 0 ? look("Reachable", "green", CheckCircleIcon) : undefined;
}

const CONDITION_WORDS: Record<string, { True: string; False: string; bad: Color }> = {
  Available: { True: "Available", False: "Not available", bad: "red" },
  Progressing: { True: "In progress", False: "Settled", bad: "grey" },
  InSync: { True: "In sync", False: "Drifted", bad: "orange" },
  VimReachable: { True: "Reachable", False: "Unreachable", bad: "red" },
  Reachable: { True: "Reachable", False: "Unreachable", bad: "red" },
};
export function conditionLook(condition: Pick<T.Condition, "type" | "status" | "reason">): Look {
  const words = CONDITION_WORDS[condition.type] ?? {
    True: condition.type,
    False: `Not ${condition.type}`,
    bad: "orange",
  };
  const progressing = condition.type === "Progressing";
  if (condition.status === "Unknown") return look(`${words.True}: unknown`, "grey", QuestionCircleIcon);
  if (condition.type === "Available" && condition.reason === "Degraded") {
    return look("Available, degraded", "orange", ExclamationTriangleIcon);
  }
  if (condition.status === "True") {
    return progressing ? look(words.True, "blue", SyncAltIcon, true) : look(words.True, "green", CheckCircleIcon);
  }
  return look(words.False, words.bad, progressing ? CircleIcon : ExclamationCircleIcon);
}
/** Whether Nova's status is what we want of the VNFC; nothing is known of UNKNOWN. */
export function asDesired(status: string, desired: T.Vnfc["desired"]): boolean {
  return status === "UNKNOWN" || status.toUpperCase() === (desired === "STARTED" ? "ACTIVE" : "SHUTOFF");
}

/** Of what is on the map, and of its links, as in 5620 SAM: green, yellow, red. */
export const MAP_STATE: Record<MapState, Look> = {
  UP: look("Up", "green", CheckCircleIcon),
  CHANGING: look("Changing", "yellow", SyncAltIcon, true),
  DEGRADED: look("Degraded", "orange", ExclamationTriangleIcon),
  DOWN: look("Down", "red", ExclamationCircleIcon),
  UNKNOWN,
};

export const lookOf = <K extends string>(table: Record<K, Look>, key: string): Look =>
  (table as Record<string, Look>)[key] ?? { ...UNKNOWN, text: key };
