import type * as T from "../src/api/types";
import type { Db } from "./db";
import { makeGrant } from "./occurrences";
import { plannedSettings } from "./planSettings";

export type Outcome = Pick<T.Plan, "state" | "problem" | "result">;
const NO_NEEDS: T.VduNeeds = {
  vcpus: 0,
  memoryMib: 0,
  diskGib: 0,
  cpuPolicy: "",
  memPageSize: "",
  numaNodes: 0,
  sriovPorts: 0,
};

const HEAT_ROWS = [
  ["fabric", "OS::Neutron::Net"],
  ["cpm_a", "OS::Nova::Server"],
  ["cpm_b", "OS::Nova::Server"],
  ["iom_group/0/server", "OS::Nova::Server"],
].map(([name = "", type = ""]): T.PlanResource => ({
  ...{ action: "create", type, name, detail: "Heat's preview", source: "heat", gone: false },
}));

/** Adoption takes over a stack without making resources. */
function adoptionPlan(): Outcome {
  return {
    state: "READY",
    result: {
      ...{ flavors: [], networks: [], parameters: {}, quota: [], grant: [], warnings: [], findings: [] },
      steps: ["Take over the stack as it is", "Record the VNFCs"].map((title, index) => ({
        ...{ seq: index + 1, name: title, title, oneWay: "" },
      })),
      summary: "no interruption",
      resources: ["A", "B", "1"].map((slot) => ({
        ...{ action: "keep", type: "vnfc", source: "plan", gone: false, detail: "runs already" },
        name: `Slot ${slot} (${slot === "1" ? "Data path VM" : "Control VM"})`,
      })),
    },
  };
}

const missingFlavor = ({ id, flavorParameter, needs }: T.Vdu): T.PlanFlavor => ({
  ...{ vduId: id, parameter: flavorParameter, flavorName: `vnfm-${id}`, source: "to_create", needs, surplus: [] },
  ...{ candidates: [], reason: "None of the 0 flavors of this cloud fits." },
  command: `openstack flavor create --vcpus ${needs.vcpus} vnfm-${id}`,
});

/** This cloud has no flavors, and its user may not create any. */
function withoutFlavors(vdus: readonly T.Vdu[]): Outcome {
  const missingFlavors = vdus.map(missingFlavor);
  const errors = missingFlavors.map(({ parameter, reason }) => ({
    ...{ field: `/additionalParams/${parameter}`, message: reason },
  }));
  const detail = "The cloud lacks flavors.";
  return {
    ...{ state: "FAILED", result: null },
    problem: {
      title: "The request cannot be met",
      status: 422,
      detail,
      code: "REQUEST_REFUSED",
      errors,
      missingFlavors,
    },
  };
}

/** Names and values in the request select a refusal; frontend/README.md lists them. */
export function instantiatePlan(db: Db, vnfdId: string, request: T.InstantiateRequest): Outcome {
  const vnfd = db.vnfds.find((each) => each.vnfdId === vnfdId) ?? db.vnfds[0];
  const params = request.additionalParams ?? {};
  if (params["adoptStack"]) return adoptionPlan();
  const vim = db.vims.find((each) => each.id === request.vimConnectionInfo?.["vim1"]?.vimId);
  if (vim?.conditions[0]?.status !== "True") {
    return {
      state: "FAILED",
      result: null,
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
      result: null,
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
  if (address === "172.16.10.66") {
    const message = "Another port has 172.16.10.66.";
    return {
      ...{ state: "FAILED", result: null },
      problem: {
        ...{ title: "The settings do not fit the cloud", status: 422, detail: message, code: "REJECTED" },
        errors: [{ field: "/additionalParams/mgmt_ip_active", message }],
      },
    };
  }
  const chosen = params["mgmt_net"];
  const known = db.resources[vim.id]?.networks ?? [];
  const meant = known.filter(({ id, name }) => chosen === id || chosen === name);
  if (meant.length > 1) {
    const message = `'${String(chosen)}' names several networks; give the id.`;
    return {
      ...{ state: "FAILED", result: null },
      problem: {
        ...{ title: "The settings do not fit the cloud", status: 422, detail: message, code: "REJECTED" },
        errors: [{ field: "/additionalParams/mgmt_net", message }],
      },
    };
  }
  const flavor = (vduId: string, name: string): T.PlanFlavor => {
    const needs = vnfd?.vdus.find((each) => each.id === vduId)?.needs ?? NO_NEEDS;
    const asked = params[`flavor_${vduId}`];
    return {
      ...{ vduId, parameter: `flavor_${vduId}`, needs },
      flavorName: typeof asked === "string" ? asked : name,
      source: typeof asked === "string" ? "requested" : "matched",
      candidates: vduId === "cpm" ? ["vsr.cpm", "vsr.iom"] : ["vsr.iom"],
      reason:
        typeof asked === "string" ? "You chose it." : "The smallest flavor of the cloud that satisfies every need.",
      ...{ surplus: [], command: "" },
    };
  };
  const without = db.resources[vim.id]?.flavors.length === 0;
  const may = vim.capabilities["flavor_create"] && params["createFlavors"] !== false;
  if (without && !may) return withoutFlavors(vnfd?.vdus ?? []);
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
      ].map((title, index) => ({ seq: index + 1, name: title, title, oneWay: "" })),
      resources: [
        ...slots.map((slot): T.PlanResource => ({
          ...{ action: "create", type: "vnfc", source: "plan", gone: false },
          name: `Slot ${slot} (${slot === "1" ? "Data path VM" : "Control VM"})`,
          detail: slot === "1" ? "Forwards packets." : "Runs the routing protocols.",
        })),
        {
          ...{ action: "create", type: "network", name: "Fabric", detail: "Internal, MTU 9000.", source: "plan" },
          gone: false,
        },
        ...HEAT_ROWS,
      ],
      settings: plannedSettings(db, vnfd, params, meant[0]),
      summary: "+3 VMs (slots A, B, 1), +12 vCPUs, +24 GiB memory",
      flavors: [flavor("cpm", "vsr.cpm"), flavor("iom", "vsr.iom")],
      networks: [
        {
          vlId: "management",
          parameter: "mgmt_net",
          choice: chosen ? "existing" : "created",
          networkName: meant[0]?.name ?? (typeof chosen === "string" ? chosen : ""),
        },
        { vlId: "fabric", parameter: "fabric_net", choice: "created", networkName: "" },
      ],
      parameters: {
        ...Object.fromEntries(
          (vnfd?.settings ?? []).map((each) => [each.name, each.hidden ? "(hidden)" : each.default]),
        ),
        ...params,
      },
      grant: makeGrant().checks,
      warnings: ["The software images are placeholders: the VMs boot but route nothing."],
      findings: [
        {
          ...{ severity: "note", code: "HEAT_VALIDATES", file: "", line: 0, pointer: "" },
          ...{ message: "Heat's own validation accepts the templates.", speaker: "heat of lab-1" },
        },
        {
          ...{ severity: "note", code: "HEAT_PREVIEW", file: "", line: 0, pointer: "", speaker: "heat of lab-1" },
          message: "Heat would create 1 OS::Neutron::Net, create 3 OS::Nova::Server.",
        },
      ],
      quota: [
        { resource: "instances", needed: 3, used: 11, limit: 40 },
        { resource: "cores", needed: 12, used: 58, limit: 120 },
        { resource: "ram_mib", needed: 24_576, used: 190_464, limit: 262_144 },
      ],
    },
  };
}
