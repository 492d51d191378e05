import { vnfc, type Instance } from "./db";
import { newId, now } from "./util";
import { json, none, notFound, problem, stale, type Context } from "./http";
import { listed } from "./lists";
import { makeOcc, OCC } from "./occurrences";
import { stepsOf } from "./plans";
import type { Route } from "./routes";
import { run } from "./simulation";
import type * as T from "../src/api/types";

export const VNF = "/vnflcm/v2/vnf_instances";

export const find = ({ db, params }: Context): Instance | undefined =>
  db.instances.find((each) => each.id === params[0]);

/** An operation waits while its cloud is unreachable. An instance whose name ends in "-lost" loses the answer. */
function start<K extends T.Operation>(
  context: Context,
  operation: K,
  done: (instance: Instance, request: T.Requests[K]) => void,
): Response {
  const instance = find(context);
  if (!instance) return notFound("VNF instance");
  const refused = stale(context, instance.version);
  if (refused) return refused;
  if (instance.runningOpOccId) {
    return problem(409, "Another operation is running", `Operation ${instance.runningOpOccId} has not ended.`, {
      code: "OPERATION_RUNNING",
    });
  }
  const request = context.body as T.Requests[K];
  instance.version += 1;
  const occ = makeOcc(context.db, instance, operation, stepsOf({ operation, request }), {
    operationParams: { ...request },
  });
  const vim = context.db.vims.find((each) => each.id === instance.vimId);
  if (vim && vim.conditions[0]?.status !== "True") {
    Object.assign(occ, { operationState: "PROCESSING", waitingSince: now() });
    context.emit("vnf_instance.changed", instance.id, instance.version);
  } else {
    run(context, instance, occ, () => done(instance, request));
  }
  return none(202, { Location: `${OCC}/${occ.id}` });
}

const snapshotsOf = ({ db, params: [id = ""] }: Context): T.InstanceSnapshot[] => db.snapshots.get(id) ?? [];

function snapshotOf(instance: Instance, id: string): T.InstanceSnapshot {
  const vnfcs = instance.vnfcs.map(({ name, vduId, slot }) => ({ name, vduId, slot }));
  return {
    ...{ id, state: "AVAILABLE", createdBy: "admin", startedAt: now(), finishedAt: now() },
    ...{ vnfdId: instance.vnfd.vnfdId, userDefinedData: {}, bootedVnfcs: [], removalProblem: null },
    vnfcs: vnfcs.map((vnfc) => ({ ...vnfc, imageId: newId(), bootsFromVolume: false, volumes: 0 })),
  };
}

function deleteSnapshot({ db, params: [id = ""] }: Context): Response {
  for (const [instance, rows] of db.snapshots)
    db.snapshots.set(
      instance,
      rows.filter((row) => row.id !== id),
    );
  return none();
}

function nextSlot(instance: Instance): string {
  const taken = new Set(instance.vnfcs.map((each) => each.slot));
  let slot = 1;
  while (taken.has(String(slot))) slot += 1;
  return String(slot);
}

function setLevel(instance: Instance, level: number, going: readonly string[] = []): void {
  instance.levels["datapath"] = level;
  instance.vnfcs = instance.vnfcs.filter((each) => !going.includes(each.id));
  const wanted = level + 3;
  while (instance.vnfcs.length < wanted)
    instance.vnfcs.push(vnfc(instance.name, nextSlot(instance), instance.vnfcs.length));
  instance.vnfcs.length = wanted;
}

const levelOf = (instance: Instance, id: string | undefined): number =>
  instance.vnfd.flavours[0]?.instantiationLevels.find((one) => one.id === id)?.scale["datapath"] ?? 0;

function heal(instance: Instance, { additionalParams = {} }: T.HealRequest): void {
  const named = additionalParams["vnfcToHeal"] as string[] | undefined;
  for (const each of instance.vnfcs) {
    if (named && !named.includes(each.id)) continue;
    if (additionalParams["repair"]) instance.drift = [];
    Object.assign(each, { status: each.desired === "STARTED" ? "ACTIVE" : "SHUTOFF", fault: "" });
  }
}

function modify(instance: Instance, request: T.ModifyInfoRequest): void {
  instance.name = request.vnfInstanceName ?? instance.name;
  instance.description = request.vnfInstanceDescription ?? instance.description;
  for (const [key, value] of Object.entries(request.metadata ?? {})) {
    if (value === null) Reflect.deleteProperty(instance.metadata, key);
    else instance.metadata[key] = value;
  }
}

const task = (name: string, handler: (context: Context) => Response): Route => [
  "POST",
  new RegExp(`^${VNF}/([^/]+)/${name}$`),
  handler,
];

export const tasks: Route[] = [
  task("instantiate", (context) => {
    const instance = find(context);
    if (instance) instance.vimId = (context.body as T.InstantiateRequest).vimConnectionInfo?.["vim1"]?.vimId;
    return start(context, "INSTANTIATE", (each) => {
      each.instantiated = true;
      setLevel(each, 0);
      each.vnfcs = ["A", "B", "1"].map((slot, index) => vnfc(each.name, slot, index));
    });
  }),
  task("scale", (context) =>
    start(context, "SCALE", (each, { type, numberOfSteps = 1, additionalParams = {} }) =>
      setLevel(
        each,
        (each.levels["datapath"] ?? 0) + (type === "SCALE_OUT" ? numberOfSteps : -numberOfSteps),
        additionalParams["vnfcToRemove"] as string[] | undefined,
      ),
    ),
  ),
  task("scale_to_level", (context) =>
    start(context, "SCALE_TO_LEVEL", (each, request) => setLevel(each, levelOf(each, request.instantiationLevelId))),
  ),
  task("change_flavour", (context) =>
    start(context, "CHANGE_FLAVOUR", (each, request) => {
      each.flavourId = request.newFlavourId;
      setLevel(each, levelOf(each, request.instantiationLevelId));
      Object.assign(each.settings, request.additionalParams);
    }),
  ),
  task("operate", (context) =>
    start(context, "OPERATE", (each, { changeStateTo }) => {
      const status = changeStateTo === "STARTED" ? "ACTIVE" : "SHUTOFF";
      for (const one of each.vnfcs) Object.assign(one, { desired: changeStateTo, status });
    }),
  ),
  task("heal", (context) => start(context, "HEAL", heal)),
  task("change_ext_conn", (context) =>
    start(context, "CHANGE_EXT_CONN", (each, { extVirtualLinks }) => {
      const known = context.db.resources[each.vimId ?? ""]?.networks ?? [];
      for (const { id, resourceId } of extVirtualLinks) {
        const network = each.networks.find((one) => one.vlId === id);
        const name = known.find((one) => one.id === resourceId)?.name ?? resourceId;
        if (network) Object.assign(network, { name, external: true });
      }
    }),
  ),
  task("change_vnfpkg", (context) =>
    start(context, "CHANGE_VNFPKG", (each, { vnfdId, additionalParams }) => {
      each.vnfd = context.db.vnfds.find((one) => one.vnfdId === vnfdId) ?? each.vnfd;
      Object.assign(each.settings, additionalParams);
    }),
  ),
  ["POST", /^\/vnflcm\/v2\/vnf_snapshots$/, () => json({ id: newId(), _links: { self: { href: "" } } }, 201)],
  ["GET", /^\/api\/v1\/vnf_instances\/([^/]+)\/snapshots$/, (context) => listed(context, snapshotsOf(context))],
  ["DELETE", /^\/vnflcm\/v2\/vnf_snapshots\/([^/]+)$/, deleteSnapshot],
  task("create_snapshot", (context) =>
    start(context, "CREATE_SNAPSHOT", (each, { vnfSnapshotInfoId }) => {
      context.db.snapshots.set(each.id, [snapshotOf(each, vnfSnapshotInfoId), ...snapshotsOf(context)]);
    }),
  ),
  task("revert_to_snapshot", (context) =>
    start(context, "REVERT_TO_SNAPSHOT", (each, { vnfSnapshotInfoId }) => {
      for (const snapshot of snapshotsOf(context))
        snapshot.bootedVnfcs = snapshot.id === vnfSnapshotInfoId ? each.vnfcs.map(({ name }) => name) : [];
    }),
  ),
  task("terminate", (context) =>
    start(context, "TERMINATE", (each) => {
      each.instantiated = false;
      each.vnfcs = [];
      each.drift = [];
    }),
  ),
  ["PATCH", new RegExp(`^${VNF}/([^/]+)$`), (context) => start(context, "MODIFY_INFO", modify)],
];
