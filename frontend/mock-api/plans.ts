import type * as T from "../src/api/types";
import type { Db, Instance } from "./db";
import { makeGrant } from "./occurrences";
import { instantiatePlan, type Outcome } from "./instantiatePlan";

type PlanQuery = { [K in T.Operation]: { operation: K; request: T.PlannedRequests[K] } }[T.Operation];
type Step = string | { title: string; oneWay: string };

const UPDATE: Step[] = ["Ask for the grant", "Update the stack", "Wait for the stack", "Record the VNFCs"];
const NEW_UUID = "The old server is gone for good; a licence on its UUID is lost.";
const OVERWRITTEN = "A disk that was overwritten cannot be put back.";
const NAMED_AWAY = "A server that was deleted cannot be had again.";

const isRecreate = (request: T.HealRequest): boolean => request.additionalParams?.["method"] === "recreate";

function healSteps(request: T.HealRequest): Step[] {
  if (!isRecreate(request)) return ["Ask for the grant", "Revive the VNFCs, gentlest way first"];
  return [
    "Ask for the grant",
    { title: "Delete the servers", oneWay: NEW_UUID },
    "Mark them as failed",
    "Update the stack",
    "Wait for the stack",
    "Record the VNFCs",
  ];
}

/** The plan of an operation and the running operation have the same steps. */
export function stepsOf(asked: { operation: T.Operation; request: unknown }): Step[] {
  const each = asked as PlanQuery;
  switch (each.operation) {
    case "INSTANTIATE":
      return ["Ask for the grant", "Upload the images", "Create the stack", "Wait for the stack", "Record the VNFCs"];
    case "SCALE":
      return each.request.type === "SCALE_OUT"
        ? UPDATE
        : ["Ask for the grant", { title: "Update the stack", oneWay: NAMED_AWAY }, ...UPDATE.slice(2)];
    case "OPERATE":
      return ["Ask for the grant", each.request.changeStateTo === "STARTED" ? "Start the servers" : "Stop the servers"];
    case "HEAL":
      return healSteps(each.request);
    case "MODIFY_INFO":
      return ["Save the new information"];
    case "CHANGE_VNFPKG":
      return ["Ask for the grant", "Upload the images", "Upgrade slot B", "Upgrade slot A", ...UPDATE.slice(3)];
    case "TERMINATE":
      return ["Ask for the grant", "Delete the stack", "Wait until it is gone"];
    case "CREATE_SNAPSHOT":
      return ["Ask for the grant", "Take an image of each VNFC", "Record the snapshot"];
    case "REVERT_TO_SNAPSHOT":
      return ["Ask for the grant", { title: "Rebuild the servers from their images", oneWay: OVERWRITTEN }];
    case "SCALE_TO_LEVEL":
    case "CHANGE_FLAVOUR":
    case "CHANGE_EXT_CONN":
      return UPDATE;
  }
}

function actionOn(asked: PlanQuery, vnfc: T.Vnfc, isLast: boolean): T.PlanResource["action"] {
  switch (asked.operation) {
    case "TERMINATE":
      return "delete";
    case "SCALE": {
      if (asked.request.type === "SCALE_OUT") return "keep";
      const named = asked.request.additionalParams?.["vnfcToRemove"] as string[] | undefined;
      return (named?.includes(vnfc.id) ?? isLast) ? "delete" : "keep";
    }
    case "HEAL": {
      const named = asked.request.additionalParams?.["vnfcToHeal"] as string[] | undefined;
      const healed = named?.includes(vnfc.id) ?? vnfc.status !== "ACTIVE";
      return healed ? (isRecreate(asked.request) ? "replace" : "update") : "keep";
    }
    case "OPERATE": {
      const named = asked.request.vnfcInstanceId;
      const running = vnfc.status === "ACTIVE";
      const isMeant = named?.includes(vnfc.id) ?? true;
      return isMeant && running === (asked.request.changeStateTo === "STOPPED") ? "update" : "keep";
    }
    case "CHANGE_VNFPKG":
      return "replace";
    case "REVERT_TO_SNAPSHOT":
      return "update";
    case "CHANGE_FLAVOUR":
      return isLast && asked.request.instantiationLevelId === "small" ? "delete" : "update";
    default:
      return "keep";
  }
}

function warningsOf(asked: PlanQuery): string[] {
  if (asked.operation === "TERMINATE") return ["Traffic of this VNF instance stops."];
  if (asked.operation === "OPERATE" && asked.request.changeStateTo === "STOPPED")
    return ["Traffic of this VNF instance stops."];
  if (asked.operation === "SCALE" && asked.request.type === "SCALE_IN")
    return ["Traffic on the removed data path VM stops."];
  if (asked.operation === "CREATE_SNAPSHOT")
    return ["Disks are saved. Memory, ports, addresses, networks, flavors and the scale level are not."];
  if (asked.operation === "REVERT_TO_SNAPSHOT")
    return ["Memory is in no snapshot. What was written to its disk since is lost, and cannot be put back."];
  return [];
}

function refusal(instance: Instance, asked: PlanQuery): Outcome | undefined {
  const refuse = (field: string, message: string): Outcome => ({
    ...{ state: "FAILED", result: null },
    problem: { title: "The request is refused", status: 422, detail: message, errors: [{ field, message }] },
  });
  if (asked.operation === "HEAL" && asked.request.additionalParams?.["method"] === "evacuate")
    return refuse("/additionalParams/method", "The VNFD of this VNF does not allow to evacuate.");
  if (asked.operation === "CHANGE_FLAVOUR" && asked.request.newFlavourId === instance.flavourId)
    return refuse("/newFlavourId", `The instance has the flavour ${instance.flavourId} already.`);
  if ("additionalParams" in asked.request && asked.request.additionalParams?.["mgmt_ip_active"] === "10.9.9.9")
    return refuse("/additionalParams/mgmt_ip_active", "10.9.9.9 is not in 172.16.10.0/24.");
  return undefined;
}

const staying = ({ action }: T.PlanResource): number => Number(action === "keep");

/** The sentences are those of `lcm.domain.plan_summary`. */
function summaryOf(asked: PlanQuery, resources: readonly T.PlanResource[]): string {
  const of = (action: T.PlanResource["action"]) => resources.filter((row) => row.action === action && !row.gone).length;
  const vms = (count: number) => (count === 1 ? "1 VM" : `${count} VMs`);
  const gone = resources.filter((row) => row.gone && row.action === "delete").length;
  const parts = [
    of("create") > 0 && `+${vms(of("create"))} (slot 3), +8 vCPUs`,
    of("delete") > 0 && `−${vms(of("delete"))}, −8 vCPUs`,
    gone > 0 && `${gone} already gone`,
    of("replace") > 0 && `${vms(of("replace"))} replaced`,
    of("update") > 0 && `${vms(of("update"))} changed`,
    asked.operation === "TERMINATE" ? "the service ends" : of("update") + of("replace") === 0 && "no interruption",
  ];
  return parts.filter(Boolean).join(", ");
}

const NOT_IN_PREVIEW: T.Finding = {
  ...{ severity: "note", code: "HEAT_PREVIEW", file: "", line: 0, pointer: "", speaker: "heat of lab-1" },
  message: "Heat accepts the update. Its preview shows the root stack alone, and no creation or deletion there.",
};

/** Names and values in the request select a refusal; frontend/README.md lists them. */
export function planResult(db: Db, input: T.PlanInput): Outcome {
  if ("vnfdId" in input) return instantiatePlan(db, input.vnfdId, input.request as T.InstantiateRequest);
  const asked = input as PlanQuery;
  const instance = db.instances.find((each) => each.id === input.vnfInstanceId);
  if (!instance) return { state: "FAILED", result: null };
  const refused = refusal(instance, asked);
  if (refused) return refused;
  const out = asked.operation === "SCALE" && asked.request.type === "SCALE_OUT";
  const resources = instance.vnfcs.map((each, index, all): T.PlanResource => ({
    action: actionOn(asked, each, index === all.length - 1),
    ...{ type: "vnfc", name: each.title, source: "plan", gone: each.status === "MISSING" },
    detail: each.status === "MISSING" ? "already gone" : `${each.name}, Nova server ${each.serverId}`,
  }));
  if (out)
    resources.unshift({
      ...{ action: "create", type: "vnfc", name: "Slot 3 (Data path VM)", detail: "Forwards packets." },
      ...{ source: "plan", gone: false },
    });
  const updated = UPDATE === stepsOf(asked) || asked.operation === "CHANGE_VNFPKG";
  const sized = ["SCALE", "SCALE_TO_LEVEL", "TERMINATE", "CHANGE_FLAVOUR"].includes(asked.operation);
  return {
    state: "READY",
    result: {
      ...{ flavors: [], networks: [], parameters: {} },
      summary: summaryOf(asked, resources),
      resources: asked.operation === "MODIFY_INFO" ? [] : resources.toSorted((a, b) => staying(a) - staying(b)),
      steps: stepsOf(asked).map((each, index) => {
        const { title, oneWay } = typeof each === "string" ? { title: each, oneWay: "" } : each;
        return { seq: index + 1, name: title, title, oneWay };
      }),
      grant: asked.operation === "MODIFY_INFO" ? [] : makeGrant().checks,
      warnings: warningsOf(asked),
      findings: updated ? [NOT_IN_PREVIEW] : [],
      quota: sized ? [{ resource: "cores", needed: out ? 8 : -8, used: 58, limit: 120 }] : [],
    },
  };
}
