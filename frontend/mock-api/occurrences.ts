import { vnfc, type Db, type Instance } from "./db";
import { ago, newId, now } from "./util";
import { json, none, notFound, stale, type Context } from "./http";
import type { Route } from "./routes";
import { run } from "./simulation";
import { opOccActions } from "./views";
import type * as T from "../src/api/types";

export const OCC = "/vnflcm/v2/vnf_lcm_op_occs";
const OPEN = ["STARTING", "PROCESSING", "ROLLING_BACK", "FAILED_TEMP"];

const DEADLINE_S = 6 * 3600;

export function makeGrant(): T.Grant {
  return {
    id: newId(),
    grantedBy: "vnfm",
    at: now(),
    checks: [
      { name: "Quota", status: "True", message: "What is added fits the project's quotas.", binding: true },
      {
        ...{ name: "Capacity", status: "Unknown", binding: false },
        message: "Host capacity: not visible (needs the admin role).",
      },
    ],
  };
}

export function makeOcc(
  db: Db,
  instance: Instance,
  operation: T.Operation,
  steps: readonly (string | { title: string; oneWay: string })[],
  patch: Partial<T.OpOcc> = {},
): T.OpOcc {
  const occ: T.OpOcc = {
    ...{ id: newId(), operation, operationState: "STARTING", stateEnteredTime: now(), startTime: now() },
    ...{ vnfInstanceId: instance.id, vnfInstanceName: instance.name, startedBy: "admin" },
    ...{ isAutomaticInvocation: false, operationParams: {}, isCancelPending: false },
    ...{ waitingSince: null, deadline: ago(-DEADLINE_S), grant: makeGrant(), pendingGrant: null },
    ...{ _links: {}, transitions: [], version: 1, actions: [] },
    steps: steps.map((each, index) => {
      const { title, oneWay } = typeof each === "string" ? { title: each, oneWay: "" } : each;
      return {
        ...{ seq: index + 1, name: title, title, oneWay, state: "PENDING", message: "", attempts: 0 },
        ...{ startedAt: null, finishedAt: null, problem: null, output: "", calls: [] },
      };
    }),
    ...patch,
  };
  occ.actions = opOccActions(occ);
  db.occs.push(occ);
  instance.runningOpOccId = occ.id;
  return occ;
}

const find = ({ db, params }: Context): T.OpOcc | undefined => db.occs.find((each) => each.id === params[0]);

function move(context: Context, occ: T.OpOcc, patch: Partial<T.OpOcc>): void {
  Object.assign(occ, patch, { version: occ.version + 1, stateEnteredTime: now() });
  occ.actions = opOccActions(occ);
  const instance = context.db.instances.find((each) => each.id === occ.vnfInstanceId);
  if (instance && !OPEN.includes(occ.operationState)) instance.runningOpOccId = undefined;
  context.emit("op_occ.changed", occ.id, occ.version);
  context.emit("vnf_instance.changed", occ.vnfInstanceId);
}

function decide(context: Context): Response {
  const occ = find(context);
  const instance = context.db.instances.find((each) => each.id === occ?.vnfInstanceId);
  if (!occ || !instance) return notFound("operation");
  const refused = stale(context, occ.version);
  if (refused) return refused;
  const task = context.params[1];
  if (task === "retry") {
    run(context, instance, occ, () => {
      instance.instantiated = true;
      instance.vnfcs = ["A", "B", "1"].map((slot, index) => vnfc(instance.name, slot, index));
    });
    return none(202);
  }
  for (const step of occ.steps) if (task === "rollback" && step.state === "DONE") step.state = "UNDONE";
  move(context, occ, { operationState: task === "fail" ? "FAILED" : "ROLLED_BACK" });
  return none(202);
}

const CANCELLED: T.ProblemDetails = {
  type: "about:blank",
  title: "The operation was cancelled",
  status: 409,
  detail: "It was cancelled by admin; what it had begun stands.",
  code: "CANCELLED",
  nextStep: "Retry, roll back, or mark as failed.",
  causes: [],
  errors: [],
};

function cancel(context: Context): Response {
  const occ = find(context);
  if (!occ) return notFound("operation");
  const { cancelMode } = context.body as { cancelMode: T.CancelMode };
  move(context, occ, { cancelMode, isCancelPending: true });
  context.later(3, () => {
    const step = occ.steps.find((each) => each.state === "RUNNING" || each.state === "WAITING");
    if (step) step.state = cancelMode === "GRACEFUL" ? "DONE" : "FAILED";
    move(context, occ, {
      ...{ operationState: "FAILED_TEMP", isCancelPending: false, waitingSince: null, error: CANCELLED },
    });
  });
  return none(202);
}

function story(occ: T.OpOcc): T.Sentence[] {
  const begun = { at: occ.startTime, text: `${occ.operation} of ${occ.vnfInstanceName} was requested by admin.` };
  const granted = occ.grant ? [{ at: occ.grant.at, text: `It was granted by ${occ.grant.grantedBy}.` }] : [];
  const steps = occ.steps.flatMap((step) => [
    ...(step.startedAt ? [{ at: step.startedAt, text: `Step ${step.seq}, “${step.title}”, was begun.` }] : []),
    ...step.calls.map((call) => ({
      at: call.at,
      text: `${call.service} was sent ${call.method} ${call.path} and answered ${call.status} (request ${call.requestId}).`,
    })),
    ...(step.finishedAt ? [{ at: step.finishedAt, text: `Step ${step.seq} was ${step.state}.` }] : []),
  ]);
  const waiting = occ.waitingSince
    ? [{ at: occ.waitingSince, text: `Its cloud has not answered since ${occ.waitingSince}.` }]
    : [];
  return [begun, ...granted, ...steps, ...waiting];
}

export const occurrences: Route[] = [
  [
    "GET",
    /^\/(?:vnflcm\/v2|api\/v1)\/vnf_lcm_op_occs$/,
    ({ db, url }) => {
      const filter = url.searchParams.get("filter") ?? "";
      const of = /^\(eq,vnfInstanceId,(.+)\)$/.exec(filter)?.[1];
      const running = filter.startsWith("(in,operationState");
      return json(
        db.occs.filter((occ) => (!of || occ.vnfInstanceId === of) && (!running || OPEN.includes(occ.operationState))),
      );
    },
  ],
  [
    "GET",
    /^\/api\/v1\/vnf_lcm_op_occs\/([^/]+)$/,
    (context) => {
      const found = find(context);
      return found ? json(found) : notFound("operation");
    },
  ],
  [
    "GET",
    /^\/api\/v1\/vnf_lcm_op_occs\/([^/]+)\/story$/,
    (context) => {
      const found = find(context);
      return found ? json({ sentences: story(found) }) : notFound("operation");
    },
  ],
  ["POST", new RegExp(`^${OCC}/([^/]+)/(retry|rollback|fail)$`), decide],
  ["POST", new RegExp(`^${OCC}/([^/]+)/cancel$`), cancel],
];
