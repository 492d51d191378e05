import { alarm, type Db, type Instance } from "./db";
import { newId, now } from "./util";
import { opOccActions } from "./views";
import type { Context } from "./http";
import type { OpOcc, ProblemDetails, Step } from "../src/api/types";

const TICK_MS = 3000;

/** A data path VM of the first instance fails and recovers repeatedly, and its alarm with it. */
export function simulate(db: Db, emit: Context["emit"]): void {
  setInterval(() => {
    for (const instance of db.instances) {
      for (const each of instance.vnfcs) if (each.status !== "UNKNOWN") each.observedAt = now();
    }
    const instance = db.instances[0];
    const each = instance?.vnfcs[3];
    if (!instance || !each || instance.runningOpOccId || Math.random() > 0.04) return;
    const stopped = each.status === "SHUTOFF";
    each.status = stopped ? "ACTIVE" : "SHUTOFF";
    const open = db.alarms.find((a) => a.managedObjectId === instance.id && !a.alarmClearedTime);
    if (stopped && open) open.alarmClearedTime = now();
    if (!stopped)
      db.alarms.unshift(alarm(instance, { alarmRaisedTime: now(), faultDetails: [`${each.name} is stopped.`] }));
    instance.version += 1;
    emit("vnf_instance.changed", instance.id, instance.version);
    emit("alarm.changed", open?.id ?? "");
  }, TICK_MS).unref();
}

const WORDS: Record<string, string> = {
  "Wait for the stack": "Heat CREATE_IN_PROGRESS: 5 of 14 resources; fabric_net CREATE_COMPLETE: state changed",
  "Wait until it is gone": "Heat DELETE_IN_PROGRESS: 9 resources left",
};
const CALLS: Record<string, [method: string, path: string]> = {
  "Create the stack": ["POST", "/v1/6c1f/stacks"],
  "Update the stack": ["PUT", "/v1/6c1f/stacks/vnf-0f4f1b62-1"],
  "Delete the stack": ["DELETE", "/v1/6c1f/stacks/vnf-0f4f1b62-1"],
};
export const NO_HOST: ProblemDetails = {
  type: "about:blank",
  title: "The cloud has no room for a data path VM",
  status: 409,
  detail: "Nova found no host for slot 1.",
  code: "NO_VALID_HOST",
  nextStep: "Free a host with pinned CPUs and two SR-IOV virtual functions, then retry; or roll back.",
  causes: [
    {
      source: "heat",
      message:
        "Resource CREATE failed: ResourceInError: resources.iom.resources[0].resources.server: Went to status ERROR",
    },
    {
      source: "nova",
      message: "No valid host was found. There are not enough hosts available. (NUMATopologyFilter returned 0 hosts)",
    },
  ],
  errors: [],
};

function callsOf({ title }: Step): Step["calls"] {
  const [method, path] = CALLS[title] ?? [];
  if (!method || !path) return [];
  const status = method === "DELETE" ? 204 : 202;
  return [{ service: "heat", method, path, status, requestId: `req-${newId()}`, at: now() }];
}

/** An instance whose name ends in "-nohost" fails at the fourth step, as Nova finds no valid host. */
export function run(context: Pick<Context, "emit" | "later">, instance: Instance, occ: OpOcc, done: () => void): void {
  const { emit, later } = context;
  const changed = () => {
    occ.actions = opOccActions(occ);
    instance.version += 1;
    emit("op_occ.changed", occ.id);
    emit("vnf_instance.changed", instance.id, instance.version);
  };
  const finish = (state: OpOcc["operationState"]) => {
    occ.operationState = state;
    occ.stateEnteredTime = now();
    if (state !== "FAILED_TEMP") instance.runningOpOccId = undefined;
    changed();
  };
  const next = (index: number) => {
    const step = occ.steps[index];
    if (!step) {
      done();
      finish("COMPLETED");
      return;
    }
    occ.operationState = "PROCESSING";
    step.state = WORDS[step.title] ? "WAITING" : "RUNNING";
    step.startedAt = now();
    step.attempts += 1;
    step.message = WORDS[step.title] ?? "";
    changed();
    later(WORDS[step.title] ? 6 : 1.5, () => {
      if (instance.name.endsWith("-nohost") && step.title.startsWith("Wait") && step.attempts === 1) {
        step.state = "FAILED";
        step.finishedAt = now();
        occ.error = NO_HOST;
        finish("FAILED_TEMP");
        return;
      }
      if (occ.operationState !== "PROCESSING") return; // The operation was cancelled while this step waited.
      step.state = "DONE";
      step.finishedAt = now();
      step.calls = callsOf(step);
      step.message = "";
      next(index + 1);
    });
  };
  delete occ.error;
  next(occ.steps.findIndex((step) => step.state !== "DONE"));
}
