import type * as T from "../src/api/types";
import { ago, type Instance } from "./db";

const off = (action: string, disabledReason: string): T.Action => ({ action, enabled: false, disabledReason });

/** The mock's copy of the action table; the real one comes from the server. */
export function instanceActions(instance: Instance): T.Action[] {
  const needs = { instantiate: false, scale: true, scale_to_level: true, terminate: true, delete: false };
  const state = instance.instantiated ? "INSTANTIATED" : "NOT_INSTANTIATED";
  return Object.entries(needs).map(([action, instantiated]) => {
    if (instance.runningOpOccId) return off(action, "An operation is running; wait for it or resolve it first.");
    if (instantiated === instance.instantiated) return { action, enabled: true, disabledReason: "" };
    return off(action, `Needs ${instantiated ? "INSTANTIATED" : "NOT_INSTANTIATED"}; the instance is ${state}.`);
  });
}

export function opOccActions(occ: T.OpOcc): T.Action[] {
  const waiting = occ.operationState === "FAILED_TEMP";
  return ["retry", "rollback", "fail"].map((action) =>
    waiting
      ? { action, enabled: true, disabledReason: "" }
      : off(action, "Only an operation in FAILED_TEMP can be decided about."),
  );
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
      ? { instantiatedVnfInfo: { flavourId: "default", vnfState: "STARTED" as const, scaleStatus, ...none } }
      : {}),
    metadata: {},
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

function conditionsOf(instance: Instance): T.Condition[] {
  if (!instance.instantiated) return [];
  if (instance.vnfcs.some((each) => each.status === "UNKNOWN")) {
    const words = "lab-west does not answer; the last look was good.";
    return ["Available", "InSync"].map((type) => condition(type, "Unknown", "VimUnreachable", words));
  }
  const down = instance.vnfcs.filter((each) => each.status !== "ACTIVE");
  return [
    down.length > 0
      ? condition(
          "Available",
          "False",
          "VnfcStopped",
          `${down.length} of ${instance.vnfcs.length} VNFCs is not active.`,
        )
      : condition("Available", "True", "AllVnfcsActive", "Every VNFC is active."),
    instance.runningOpOccId
      ? condition("Progressing", "True", "OperationRunning", "An operation is running.")
      : condition("Progressing", "False", "Idle", "No operation is running."),
    condition(
      "InSync",
      down.length > 0 ? "False" : "True",
      down.length > 0 ? "StatusDiffers" : "AsWanted",
      "Observed against desired.",
    ),
  ];
}

const NETWORKS: T.InstanceNetwork[] = [
  { id: "net-mgmt", vlId: "management", name: "mgmt", external: false },
  { id: "net-fabric", vlId: "fabric", name: "fabric", external: false },
  { id: "net-data-a", vlId: "data", name: "data-a", external: true },
  { id: "net-data-b", vlId: "data", name: "data-b", external: true },
];

export function summaryOf(instance: Instance): T.VnfInstanceSummary {
  return {
    id: instance.id,
    name: instance.name,
    description: instance.description,
    vnfdId: instance.vnfd.vnfdId,
    instantiationState: instance.instantiated ? "INSTANTIATED" : "NOT_INSTANTIATED",
    conditions: conditionsOf(instance),
    vnfcCount: instance.vnfcs.length,
    actions: instanceActions(instance),
    runningOpOccId: instance.runningOpOccId ?? null,
    vimId: instance.vimId ?? null,
    createdAt: ago(90_000),
    version: instance.version,
  };
}

export function viewOf(instance: Instance): T.VnfInstance {
  const aspects = instance.instantiated ? (instance.vnfd.flavours[0]?.scalingAspects ?? []) : [];
  const stopped = instance.vnfcs.filter((each) => each.status === "SHUTOFF");
  return {
    ...summaryOf(instance),
    vnfcs: instance.vnfcs,
    networks: instance.instantiated ? NETWORKS : [],
    scale: aspects.map(({ id, name, maxScaleLevel }) => ({
      ...{ aspectId: id, name, level: instance.levels[id] ?? 0, maxLevel: maxScaleLevel },
    })),
    drift: stopped.map(({ name }) => ({
      kind: "stopped",
      subject: name,
      message: `${name} is stopped; it should be started.`,
    })),
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
