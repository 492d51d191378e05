import { emptyInstance, vnfc } from "./db";
import { json, none, notFound, problem, type Context } from "./http";
import { makeOcc, OCC } from "./occurrences";
import type { Route } from "./routes";
import { run } from "./simulation";
import type * as T from "../src/api/types";

const find = ({ db, params }: Context) => db.unclaimed.find((each) => each.id === params[0]);

/** The removal of an object whose name ends in "-undeletable" fails. */
function remove(context: Context): Response {
  const row = find(context);
  if (!row) return notFound("unclaimed resource");
  if ((context.body as { confirm: string }).confirm !== row.name)
    return problem(422, "The name does not fit", "Type the name of what is to go.");
  row.removal = { state: "REQUESTED", problem: null };
  context.later(4, () => {
    const failed = row.name.endsWith("-undeletable");
    const words = "Nova refuses to delete it.";
    row.removal = failed
      ? { state: "FAILED", problem: { title: "It was not removed", status: 409, detail: words } }
      : { state: "REMOVED", problem: null };
    context.emit("unclaimed.changed", row.vimId);
  });
  return none(202);
}

function adopt(context: Context): Response {
  const row = find(context);
  const request = context.body as T.AdoptRequest;
  const vnfd = context.db.vnfds.find((each) => each.vnfdId === request.vnfdId);
  if (!row || !vnfd) return notFound("unclaimed resource");
  const instance = emptyInstance(request.vnfInstanceName ?? row.name, vnfd);
  instance.vimId = row.vimId;
  context.db.instances.push(instance);
  context.db.unclaimed = context.db.unclaimed.filter((each) => each !== row);
  const occ = makeOcc(context.db, instance, "INSTANTIATE", ["Take over the stack", "Record the VNFCs"]);
  run(context, instance, occ, () => {
    instance.instantiated = true;
    instance.vnfcs = ["A", "B", "1"].map((slot, index) => vnfc(instance.name, slot, index));
  });
  return none(202, { Location: `${OCC}/${occ.id}` });
}

export const unclaimed: Route[] = [
  [
    "GET",
    /^\/api\/v1\/vims\/([^/]+)\/unclaimed$/,
    ({ db, params }) =>
      json(db.unclaimed.filter((each) => each.vimId === params[0]).map(({ vimId: _vimId, ...row }) => row)),
  ],
  ["POST", /^\/api\/v1\/unclaimed\/([^/]+)\/remove$/, remove],
  ["POST", /^\/api\/v1\/unclaimed\/([^/]+)\/adopt$/, adopt],
];
