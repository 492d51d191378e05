import type * as T from "../src/api/types";
import { ago, type Db, type Instance } from "./db";

const off = (action: string, disabledReason: string): T.Action => ({ action, enabled: false, disabledReason });

/** The mock's copy of the action table; the real one comes from the server. */
export function instanceActions(instance: Instance): T.Action[] {
  const needs = { instantiate: false, scale: true, scale_to_level: true, terminate: true, delete: false };
  const state = instance.instantiated ? "INSTANTIATED" : "NOT_INSTANTIATED";
  return Object.entries(needs).map(([action, instantiated]) => {
    if (instance.runningOpOccId) return off(action, "An operation is running; wait for it or resolve it first.");
    if (instantiated === instance.instantiated) return { action, enabled: true };
    return off(action, `Needs ${instantiated ? "INSTANTIATED" : "NOT_INSTANTIATED"}; the instance is ${state}.`);
  });
}

export function opOccActions(occ: T.OpOcc): T.Action[] {
  const waiting = occ.operationState === "FAILED_TEMP";
  return ["retry", "rollback", "fail"].map((action) =>
    waiting ? { action, enabled: true } : off(action, "Only an operation in FAILED_TEMP can be decided about."),
  );
}

export function summaryOf(instance: Instance): T.VnfInstanceSummary {
  const { vnfd } = instance;
  return {
    id: instance.id,
    vnfInstanceName: instance.name,
    vnfInstanceDescription: instance.description,
    vnfdId: vnfd.vnfdId,
    vnfProvider: vnfd.provider,
    vnfProductName: vnfd.productName,
    vnfSoftwareVersion: vnfd.softwareVersion,
    vnfdVersion: vnfd.vnfdVersion,
    vimConnectionInfo: instance.vimId ? { vim1: { vimId: instance.vimId } } : {},
    instantiationState: instance.instantiated ? "INSTANTIATED" : "NOT_INSTANTIATED",
    instantiatedVnfInfo: instance.instantiated
      ? {
          flavourId: "default",
          vnfState: "STARTED",
          scaleStatus: Object.entries(instance.levels).map(([aspectId, scaleLevel]) => ({ aspectId, scaleLevel })),
          vnfcResourceInfo: instance.vnfcs.map(({ id, vduId }) => ({ id, vduId })),
        }
      : null,
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
  { id: "net-mgmt", vlId: "management", name: "mgmt", cidr: "172.16.10.0/24" },
  { id: "net-fabric", vlId: "fabric", name: "fabric", cidr: "10.250.0.0/24" },
  { id: "net-data-a", vlId: "data", name: "data-a" },
  { id: "net-data-b", vlId: "data", name: "data-b" },
];

export function viewOf(instance: Instance): T.VnfInstance {
  const aspects = instance.vnfd.flavours[0]?.scalingAspects ?? [];
  return {
    id: instance.id,
    name: instance.name,
    instantiationState: instance.instantiated ? "INSTANTIATED" : "NOT_INSTANTIATED",
    conditions: conditionsOf(instance),
    vnfcs: instance.vnfcs,
    networks: instance.instantiated ? NETWORKS : [],
    scale: instance.instantiated
      ? aspects.map(({ id, name, maxScaleLevel }) => ({
          aspectId: id,
          name,
          level: instance.levels[id] ?? 0,
          maxLevel: maxScaleLevel,
        }))
      : [],
    actions: instanceActions(instance),
    runningOpOccId: instance.runningOpOccId ?? null,
    vimId: instance.vimId ?? null,
    stack: instance.instantiated
      ? {
          id: "0f4f1b62-6a2c-4d57-a2c5-3f6f5f4f4f4f",
          name: `vnf-${instance.id.slice(0, 8)}-1`,
          status: "CREATE_COMPLETE",
          statusReason: "Stack CREATE completed successfully",
          observedAt: ago(3),
        }
      : null,
    version: instance.version,
  };
}

/** A plan's result; sentinel values in the request bring out each kind of complaint. */
export function planResult(db: Db, input: T.PlanInput): Pick<T.Plan, "state" | "problem" | "result"> {
  if (input.operation === "INSTANTIATE") return instantiatePlan(db, input);
  const instance = db.instances.find((each) => each.id === input.vnfInstanceId);
  const steps = ["Ask for the grant", "Update the stack", "Wait for the stack", "Record the VNFCs"];
  const gone = input.operation === "TERMINATE";
  const name = instance?.name ?? "";
  const out = input.operation === "SCALE" && input.request.type === "SCALE_OUT";
  const resources: T.PlanResource[] = [
    ...(instance?.vnfcs ?? []).map((each, index, all): T.PlanResource => ({
      action: gone || (!out && input.operation === "SCALE" && index === all.length - 1) ? "delete" : "keep",
      type: "OS::Nova::Server",
      name: each.name,
      detail: `slot ${each.slot ?? ""}`,
    })),
    ...(out
      ? [
          {
            action: "create" as const,
            type: "OS::Nova::Server",
            name: `${name}-iom-3`,
            detail: "slot 3, flavor vsr.iom",
          },
        ]
      : []),
  ];
  return {
    state: "READY",
    result: {
      ...{ flavors: [], networks: [], parameters: {}, fieldErrors: [] },
      steps: (gone ? ["Ask for the grant", "Delete the stack", "Wait until it is gone"] : steps).map((title, seq) => ({
        seq,
        name: title,
        title,
      })),
      resources,
      warnings: out
        ? []
        : [gone ? "Traffic of this VNF instance stops." : "Traffic on the removed data path VM stops."],
      quota: [{ resource: "cores", needed: out ? 8 : -8, used: 58, limit: 120 }],
    },
  };
}

function instantiatePlan(
  db: Db,
  input: T.PlanInput & { operation: "INSTANTIATE" },
): Pick<T.Plan, "state" | "problem" | "result"> {
  const vnfd = db.vnfds.find((each) => each.vnfdId === input.vnfdId) ?? db.vnfds[0];
  const params = input.request.additionalParams ?? {};
  const vim = db.vims.find((each) => each.id === input.request.vimConnectionInfo["vim1"]?.vimId);
  if (vim?.conditions[0]?.status !== "True") {
    return {
      state: "FAILED",
      problem: {
        title: "The cloud cannot be reached",
        status: 503,
        detail: `${vim?.name ?? "The cloud"} does not answer.`,
        code: "VIM_UNREACHABLE",
        nextStep: "Look at the cloud's page, or choose another cloud.",
        causes: [
          {
            source: "keystone",
            message:
              "HTTPSConnectionPool(host='keystone.west.example', port=5000): Max retries exceeded: Connection refused",
          },
        ],
        errors: [
          {
            field: "/vimConnectionInfo/vim1/vimId",
            message: `${vim?.name ?? "This cloud"} does not answer since 14:02.`,
          },
        ],
      },
    };
  }
  const address = params["mgmt_ip_active"];
  if (address === "10.9.9.9") {
    return {
      state: "FAILED",
      problem: {
        title: "Heat refuses the template with these settings",
        status: 422,
        detail: "A management address is outside of its subnet.",
        code: "REJECTED",
        nextStep: "Correct the address.",
        causes: [{ source: "heat", message: "StackValidationFailed: 10.9.9.9 is not in 172.16.10.0/24" }],
        errors: [{ field: "/additionalParams/mgmt_ip_active", message: "10.9.9.9 is not in 172.16.10.0/24." }],
      },
    };
  }
  const flavor = (vduId: string, name: string): T.PlanFlavor => {
    const needs = vnfd?.vdus.find((each) => each.id === vduId)?.needs ?? {};
    const asked = params[`flavor_${vduId}`];
    return {
      ...{ vduId, parameter: `flavor_${vduId}`, needs },
      flavorName: typeof asked === "string" ? asked : name,
      source: typeof asked === "string" ? "requested" : "matched",
      candidates: vduId === "cpm" ? ["vsr.cpm", "vsr.iom"] : ["vsr.iom"],
      reason:
        typeof asked === "string" ? "You chose it." : "The smallest flavor of the cloud that satisfies every need.",
    };
  };
  const slots = ["A", "B", "1"];
  return {
    state: "READY",
    result: {
      steps: [
        "Ask for the grant",
        "Upload the images",
        "Create the stack",
        "Wait for the stack",
        "Record the VNFCs",
      ].map((title, seq) => ({ seq, name: title, title })),
      resources: [
        { action: "create", type: "OS::Neutron::Net", name: "fabric", detail: "internal, MTU 9000" },
        { action: "create", type: "OS::Nova::ServerGroup", name: "control", detail: "anti-affinity" },
        ...slots.map((slot): T.PlanResource => ({
          action: "create",
          type: "OS::Nova::Server",
          name: `slot ${slot}`,
          detail: slot === "1" ? "vsr.iom" : "vsr.cpm",
        })),
        { action: "create", type: "OS::Neutron::Port", name: "data-1, data-2", detail: "SR-IOV (direct)" },
      ],
      flavors: [flavor("cpm", "vsr.cpm"), flavor("iom", "vsr.iom")],
      networks: [
        {
          vlId: "management",
          parameter: "mgmt_net",
          choice: params["mgmt_net"] ? "existing" : "created",
          networkName: typeof params["mgmt_net"] === "string" ? params["mgmt_net"] : null,
        },
        { vlId: "fabric", parameter: "fabric_net", choice: "created", networkName: null },
      ],
      parameters: {
        ...Object.fromEntries(
          (vnfd?.settings ?? []).map((each) => [each.name, each.hidden ? "(hidden)" : each.default]),
        ),
        ...params,
      },
      warnings: ["The software images are placeholders: the VMs boot but route nothing."],
      quota: [
        { resource: "instances", needed: 3, used: 11, limit: 40 },
        { resource: "cores", needed: 12, used: 58, limit: 120 },
        { resource: "ram (MiB)", needed: 24_576, used: 190_464, limit: 262_144 },
      ],
      fieldErrors: [],
    },
  };
}
