import { newId, now, vnfc, type Instance } from "./db";
import { json, none, notFound, problem, type Context } from "./http";
import type { Route } from "./routes";
import { run } from "./simulation";
import { etsiViewOf, opOccActions, summaryOf, viewOf } from "./views";
import type * as T from "../src/api/types";

const VNF = "/vnflcm/v2/vnf_instances";
const OCC = "/vnflcm/v2/vnf_lcm_op_occs";
const OPEN = ["STARTING", "PROCESSING", "ROLLING_BACK", "FAILED_TEMP"];

const find = ({ db, params }: Context): Instance | undefined => db.instances.find((each) => each.id === params[0]);
const findOcc = ({ db, params }: Context): T.OpOcc | undefined => db.occs.find((each) => each.id === params[0]);

function start(
  context: Context,
  operation: T.Operation,
  titles: string[],
  done: (instance: Instance) => void,
): Response {
  const instance = find(context);
  if (!instance) return notFound("VNF instance");
  if (instance.runningOpOccId) {
    return problem(409, "Another operation is running", `Operation ${instance.runningOpOccId} has not ended.`, {
      code: "OPERATION_RUNNING",
    });
  }
  const occ: T.OpOcc = {
    id: newId(),
    operationState: "STARTING",
    stateEnteredTime: now(),
    startTime: now(),
    vnfInstanceId: instance.id,
    operation,
    vnfInstanceName: instance.name,
    startedBy: "admin",
    ...{
      isAutomaticInvocation: false,
      operationParams: {},
      isCancelPending: false,
      _links: {},
      transitions: [],
      version: 1,
    },
    steps: titles.map((title, seq) => ({
      seq,
      name: title,
      title,
      state: "PENDING",
      message: "",
      attempts: 0,
      startedAt: null,
      finishedAt: null,
    })),
    actions: [],
  };
  occ.actions = opOccActions(occ);
  context.db.occs.push(occ);
  instance.runningOpOccId = occ.id;
  run(context, instance, occ, () => done(instance));
  return none(202, { Location: `${OCC}/${occ.id}` });
}

function nextSlot(instance: Instance): string {
  const taken = new Set(instance.vnfcs.map((each) => each.slot));
  let slot = 1;
  while (taken.has(String(slot))) slot += 1;
  return String(slot);
}

function setLevel(instance: Instance, level: number): void {
  instance.levels["datapath"] = level;
  const wanted = level + 3;
  while (instance.vnfcs.length < wanted)
    instance.vnfcs.push(vnfc(instance.name, nextSlot(instance), instance.vnfcs.length));
  instance.vnfcs.length = wanted;
}

const STEPS = ["Ask for the grant", "Update the stack", "Wait for the stack", "Record the VNFCs"];

const operations: Route[] = [
  [
    "POST",
    new RegExp(`^${VNF}/([^/]+)/instantiate$`),
    (context) => {
      const request = context.body as T.InstantiateRequest;
      const instance = find(context);
      if (instance) instance.vimId = request.vimConnectionInfo?.["vim1"]?.vimId;
      const steps = [
        "Ask for the grant",
        "Upload the images",
        "Create the stack",
        "Wait for the stack",
        "Record the VNFCs",
      ];
      return start(context, "INSTANTIATE", steps, (each) => {
        each.instantiated = true;
        setLevel(each, 0);
        each.vnfcs = ["A", "B", "1"].map((slot, index) => vnfc(each.name, slot, index));
      });
    },
  ],
  [
    "POST",
    new RegExp(`^${VNF}/([^/]+)/scale$`),
    (context) => {
      const { type, numberOfSteps = 1 } = context.body as T.ScaleRequest;
      const sign = type === "SCALE_OUT" ? 1 : -1;
      return start(context, "SCALE", STEPS, (each) =>
        setLevel(each, (each.levels["datapath"] ?? 0) + sign * numberOfSteps),
      );
    },
  ],
  [
    "POST",
    new RegExp(`^${VNF}/([^/]+)/scale_to_level$`),
    (context) => {
      const { instantiationLevelId } = context.body as T.ScaleToLevelRequest;
      return start(context, "SCALE_TO_LEVEL", STEPS, (each) => {
        const level = each.vnfd.flavours[0]?.instantiationLevels.find((one) => one.id === instantiationLevelId);
        setLevel(each, level?.scale["datapath"] ?? 0);
      });
    },
  ],
  [
    "POST",
    new RegExp(`^${VNF}/([^/]+)/terminate$`),
    (context) =>
      start(context, "TERMINATE", ["Ask for the grant", "Delete the stack", "Wait until it is gone"], (each) => {
        each.instantiated = false;
        each.vnfcs = [];
      }),
  ],
];

const instances: Route[] = [
  ["GET", /^\/api\/v1\/vnf_instances$/, ({ db }) => json(db.instances.map(summaryOf))],
  [
    "POST",
    new RegExp(`^${VNF}$`),
    ({ db, body, emit }) => {
      const input = body as { vnfdId: string; vnfInstanceName: string; vnfInstanceDescription?: string };
      const vnfd = db.vnfds.find((each) => each.vnfdId === input.vnfdId);
      if (!vnfd) return notFound("VNFD");
      if (db.instances.some((each) => each.name === input.vnfInstanceName)) {
        return problem(409, "The name is taken", `A VNF instance is called ${input.vnfInstanceName} already.`, {
          code: "NAME_TAKEN",
          nextStep: "Choose another name.",
          errors: [
            { field: "/vnfInstanceName", message: `A VNF instance is called ${input.vnfInstanceName} already.` },
          ],
        });
      }
      const created: Instance = {
        id: newId(),
        name: input.vnfInstanceName,
        description: input.vnfInstanceDescription ?? "",
        vnfd,
        vimId: undefined,
        levels: {},
        instantiated: false,
        vnfcs: [],
        runningOpOccId: undefined,
        version: 1,
      };
      db.instances.push(created);
      emit("vnf_instance.changed", created.id, 1);
      return json(etsiViewOf(created), 201);
    },
  ],
  [
    "GET",
    new RegExp(`^${VNF}/([^/]+)$`),
    (context) => {
      const found = find(context);
      return found ? json(etsiViewOf(found)) : notFound("VNF instance");
    },
  ],
  [
    "GET",
    /^\/api\/v1\/vnf_instances\/([^/]+)$/,
    (context) => {
      const found = find(context);
      return found ? json(viewOf(found)) : notFound("VNF instance");
    },
  ],
  [
    "DELETE",
    new RegExp(`^${VNF}/([^/]+)$`),
    (context) => {
      const { db, params, emit } = context;
      if (find(context)?.instantiated) return problem(409, "Terminate it first", "The VNF instance is instantiated.");
      db.instances = db.instances.filter((each) => each.id !== params[0]);
      emit("vnf_instance.changed", params[0] ?? "");
      return none();
    },
  ],
];

const occurrences: Route[] = [
  [
    "GET",
    new RegExp(`^${OCC}$`),
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
      const found = findOcc(context);
      return found ? json(found) : notFound("operation");
    },
  ],
  [
    "POST",
    new RegExp(`^${OCC}/([^/]+)/(retry|rollback|fail)$`),
    (context) => {
      const occ = findOcc(context);
      const instance = context.db.instances.find((each) => each.id === occ?.vnfInstanceId);
      if (!occ || !instance) return notFound("operation");
      if (context.params[1] === "retry") {
        run(context, instance, occ, () => {
          instance.instantiated = true;
          instance.vnfcs = ["A", "B", "1"].map((slot, index) => vnfc(instance.name, slot, index));
        });
        return none(202);
      }
      occ.operationState = context.params[1] === "fail" ? "FAILED" : "ROLLED_BACK";
      occ.stateEnteredTime = now();
      occ.steps.forEach(
        (step) => (step.state = step.state === "DONE" && context.params[1] === "rollback" ? "UNDONE" : step.state),
      );
      occ.actions = opOccActions(occ);
      instance.runningOpOccId = undefined;
      context.emit("op_occ.changed", occ.id);
      context.emit("vnf_instance.changed", instance.id);
      return none(202);
    },
  ],
];

export const handlers: Route[] = [...operations, ...instances, ...occurrences];
