import type * as T from "../src/api/types";
import { type Instance } from "./db";
import { ago } from "./util";

const off = (action: string, disabledReason: string): T.Action => ({ action, enabled: false, disabledReason });

const NEEDS: Record<string, boolean | undefined> = {
  instantiate: false,
  delete: false,
  modify_info: undefined,
  ...Object.fromEntries(
    [
      "scale",
      "scale_to_level",
      "change_flavour",
      "operate",
      "heal",
      "change_ext_conn",
      "change_vnfpkg",
      "create_snapshot",
      "revert_to_snapshot",
      "terminate",
    ].map((name) => [name, true]),
  ),
};

/** The server's action table decides; this copy serves the mock only. */
function instanceActions(instance: Instance): T.Action[] {
  const state = instance.instantiated ? "INSTANTIATED" : "NOT_INSTANTIATED";
  return Object.entries(NEEDS).map(([action, instantiated]) => {
    if (instance.runningOpOccId) return off(action, "An operation is running; wait for it or resolve it first.");
    if (instantiated === undefined || instantiated === instance.instantiated)
      return { action, enabled: true, disabledReason: "" };
    return off(action, `Needs ${instantiated ? "INSTANTIATED" : "NOT_INSTANTIATED"}; the instance is ${state}.`);
  });
}

export function opOccActions(occ: T.OpOcc): T.Action[] {
  const driven = ["STARTING", "PROCESSING", "ROLLING_BACK"].includes(occ.operationState);
  const oneWay = occ.steps.find((step) => step.oneWay && step.state !== "PENDING")?.oneWay;
  const cancel = occ.isCancelPending
    ? off("cancel", "It is being cancelled already.")
    : driven
      ? { action: "cancel", enabled: true, disabledReason: "" }
      : off("cancel", `Possible while it runs; the operation is ${occ.operationState}.`);
  const decisions = ["retry", "rollback", "fail"].map((action) => {
    if (occ.operationState !== "FAILED_TEMP")
      return off(action, `Possible in FAILED_TEMP; the operation is ${occ.operationState}.`);
    if (action === "rollback" && oneWay) return off(action, `${oneWay} Retry it, or mark it failed.`);
    return { action, enabled: true, disabledReason: "" };
  });
  return [cancel, ...decisions];
}

export function etsiViewOf(instance: Instance): T.EtsiVnfInstance {
  const { vnfd } = instance;
  const scaleStatus = Object.entries(instance.levels).map(([aspectId, scaleLevel]) => ({ aspectId, scaleLevel }));
  const none = { maxScaleLevels: [], extCpInfo: [], vnfcResourceInfo: [], vnfVirtualLinkResourceInfo: [] };
  return {
    id: instance.id,
    vnfInstanceName: instance.name,
    vnfInstanceDescription: instance.description,
    vnfdId: vnfd.vnfdId,
    vnfProvider: vnfd.provider,
    vnfProductName: vnfd.productName,
    vnfSoftwareVersion: vnfd.softwareVersion,
    vnfdVersion: vnfd.vnfdVersion,
    vimConnectionInfo: {},
    instantiationState: instance.instantiated ? "INSTANTIATED" : "NOT_INSTANTIATED",
    ...(instance.instantiated
      ? { instantiatedVnfInfo: { flavourId: instance.flavourId, vnfState: "STARTED" as const, scaleStatus, ...none } }
      : {}),
    metadata: instance.metadata,
    _links: {},
  };
}

const condition = (type: string, status: T.ConditionStatus, reason: string, message: string): T.Condition => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: ago(status === "Unknown" ? 8200 : 140),
  observedAt: ago(3),
});

export function availability(instance: Pick<Instance, "instantiated" | "vnfcs" | "runningOpOccId">): string {
  const found = availabilityAtRest(instance);
  return instance.runningOpOccId && ["DOWN", "NOT_INSTANTIATED"].includes(found) ? "CHANGING" : found;
}

function availabilityAtRest({ instantiated, vnfcs }: Pick<Instance, "instantiated" | "vnfcs">): string {
  if (!instantiated) return "NOT_INSTANTIATED";
  if (vnfcs.some(({ status }) => status === "UNKNOWN")) return "UNKNOWN";
  const up = new Set(vnfcs.filter(({ status }) => status === "ACTIVE").map(({ vduId }) => vduId));
  if (vnfcs.every(({ status }) => status === "ACTIVE")) return "RUNNING";
  return vnfcs.every(({ vduId }) => up.has(vduId)) ? "DEGRADED" : "DOWN";
}

const BEING_CHANGED = "Not known while it is being changed.";

function availableOf(instance: Instance, down: string): T.Condition {
  const how = availability(instance);
  if (how === "CHANGING") return condition("Available", "Unknown", "OperationRunning", BEING_CHANGED);
  if (how === "NOT_INSTANTIATED")
    return condition("Available", "False", "NotInstantiated", "The instance is not instantiated.");
  if (how === "RUNNING") return condition("Available", "True", "AllRunning", "Every VNFC is active.");
  return how === "DEGRADED"
    ? condition("Available", "True", "Degraded", down)
    : condition("Available", "False", "VduDown", down);
}

function inSyncOf({ instantiated, runningOpOccId }: Instance, down: number): T.Condition {
  if (runningOpOccId) return condition("InSync", "Unknown", "OperationRunning", BEING_CHANGED);
  if (!instantiated) return condition("InSync", "True", "NotInstantiated", "The instance is not instantiated.");
  return down > 0
    ? condition("InSync", "False", "StatusDiffers", "Observed against desired.")
    : condition("InSync", "True", "AsWanted", "Observed against desired.");
}

function conditionsOf(instance: Instance): T.Condition[] {
  if (instance.vnfcs.some((each) => each.status === "UNKNOWN")) {
    const words = "lab-west does not answer; the last look was good.";
    return ["Available", "InSync"].map((type) => condition(type, "Unknown", "NotObserved", words));
  }
  const down = instance.vnfcs.filter((each) => each.status !== "ACTIVE");
  return [
    availableOf(instance, `${down.length} of ${instance.vnfcs.length} VNFCs is not active.`),
    instance.runningOpOccId
      ? condition("Progressing", "True", "OperationRunning", "An operation is running.")
      : condition("Progressing", "False", "Idle", "No operation is running."),
    inSyncOf(instance, down.length),
  ];
}

export function summaryOf(instance: Instance): T.VnfInstanceSummary {
  const flavour = instance.instantiated ? instance.vnfd.flavours[0] : undefined;
  return {
    id: instance.id,
    name: instance.name,
    description: instance.description,
    vnfdId: instance.vnfd.vnfdId,
    instantiationState: instance.instantiated ? "INSTANTIATED" : "NOT_INSTANTIATED",
    conditions: conditionsOf(instance),
    vnfcCount: instance.vnfcs.length,
    flavourId: flavour?.id ?? "",
    scale: (flavour?.scalingAspects ?? []).map(({ id, name, maxScaleLevel }) => ({
      ...{ aspectId: id, name, level: instance.levels[id] ?? 0, maxLevel: maxScaleLevel },
    })),
    managementAddresses: instance.vnfcs[0]?.ports[0]?.ipAddresses.slice(0, 1) ?? [],
    actions: instanceActions(instance),
    runningOpOccId: instance.runningOpOccId ?? null,
    vimId: instance.vimId ?? null,
    createdAt: ago(90_000),
    version: instance.version,
  };
}

function differencesOf(instance: Instance): T.Difference[] {
  if (instance.runningOpOccId) return [];
  const stopped = instance.vnfcs
    .filter((each) => each.status === "SHUTOFF" && each.desired === "STARTED")
    .map((each): T.Difference => ({
      ...{ kind: "stopped", subject: each.name, vnfcId: each.id },
      message: `${each.name} is stopped; it should run.`,
      ...{ expected: "ACTIVE", found: "SHUTOFF", acceptable: true, whyNot: "", repair: "It is started." },
      ...{ accept: "It should be stopped from now on.", since: each.statusSince },
    }));
  const missing = instance.vnfcs
    .filter((each) => each.status === "MISSING")
    .map((each): T.Difference => ({
      ...{ kind: "missing", subject: each.name, vnfcId: each.id },
      message: `${each.name} is missing from the cloud.`,
      ...{ expected: `server ${each.serverId}`, found: "nothing", acceptable: false, accept: "" },
      since: each.statusSince,
      whyNot: "A VNFC without a server cannot be what is wanted: repair it, or scale in.",
      repair: "It gets a new server, in the same slot.",
    }));
  return [...missing, ...stopped, ...instance.drift];
}

export function viewOf(instance: Instance): T.VnfInstance {
  return {
    ...summaryOf(instance),
    vnfcs: instance.vnfcs,
    networks: instance.instantiated ? instance.networks : [],
    settings: instance.settings,
    drift: differencesOf(instance),
    stack: instance.instantiated
      ? {
          id: "0f4f1b62-6a2c-4d57-a2c5-3f6f5f4f4f4f",
          name: `vnf-${instance.id.slice(0, 8)}-1`,
          status: "CREATE_COMPLETE",
          statusReason: "Stack CREATE completed successfully",
          observedAt: ago(3),
        }
      : null,
  };
}
