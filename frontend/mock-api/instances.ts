import { emptyInstance, type Instance } from "./db";
import { newId } from "./util";
import { json, none, notFound, problem, stale, type Context } from "./http";
import { listed } from "./lists";
import type { Route } from "./routes";
import { find, VNF } from "./tasks";
import { etsiViewOf, summaryOf, viewOf } from "./views";
import type * as T from "../src/api/types";

const DETAIL = "^/api/v1/vnf_instances";

/** Answers 404 when the path names no instance. */
const of =
  (answer: (instance: Instance, context: Context) => Response) =>
  (context: Context): Response => {
    const found = find(context);
    return found ? answer(found, context) : notFound("VNF instance");
  };

function create({ db, body, emit }: Context): Response {
  const input = body as { vnfdId: string; vnfInstanceName: string; vnfInstanceDescription?: string };
  const vnfd = db.vnfds.find((each) => each.vnfdId === input.vnfdId);
  if (!vnfd) return notFound("VNFD");
  const created = emptyInstance(input.vnfInstanceName, vnfd);
  created.description = input.vnfInstanceDescription ?? "";
  db.instances.push(created);
  emit("vnf_instance.changed", created.id, 1);
  return json(etsiViewOf(created), 201);
}

function drop({ db, emit }: Context, instance: Instance): void {
  db.instances = db.instances.filter((each) => each.id !== instance.id);
  emit("vnf_instance.changed", instance.id);
}

function accept(instance: Instance, context: Context): Response {
  const { body, emit } = context;
  const refused = stale(context, instance.version);
  if (refused) return refused;
  const { differences } = body as { differences: Pick<T.Difference, "kind" | "subject">[] };
  for (const { kind, subject } of differences) {
    instance.drift = instance.drift.filter((each) => each.kind !== kind || each.subject !== subject);
    const one = instance.vnfcs.find((each) => each.name === subject);
    if (one && kind === "stopped") one.desired = "STOPPED";
  }
  instance.version += 1;
  emit("vnf_instance.changed", instance.id, instance.version);
  return json({});
}

function forget(instance: Instance, context: Context): Response {
  if ((context.body as { confirm: string }).confirm !== instance.name)
    return problem(422, "The name does not fit", "Type the name of the instance.");
  Object.assign(instance, { instantiated: false, vnfcs: [], drift: [], version: instance.version + 1 });
  context.emit("vnf_instance.changed", instance.id, instance.version);
  const left: T.StackExport = {
    stackName: `vnf-${instance.id.slice(0, 8)}-1`,
    stackId: "0f4f1b62-6a2c-4d57-a2c5-3f6f5f4f4f4f",
    template: "heat_template_version: 2015-10-15\nresources:\n  cpm_a:\n    type: nested/cpm.yaml\n",
    environment: {
      resource_registry: { "Vsr::Management": "nested/existing.yaml" },
      parameters: { system_name: instance.name, admin_password: "******" },
    },
    files: { "nested/cpm.yaml": "heat_template_version: 2015-10-15\n" },
    resources: [{ type: "OS::Nova::Server", id: newId(), name: `${instance.name}-cpm-a`, role: "cpm, slot A" }],
  };
  return json(left);
}

export const instances: Route[] = [
  ["GET", new RegExp(`${DETAIL}$`), (context) => listed(context, context.db.instances.map(summaryOf))],
  ["POST", new RegExp(`^${VNF}$`), create],
  ["GET", new RegExp(`^${VNF}/([^/]+)$`), of((instance) => json(etsiViewOf(instance)))],
  ["GET", new RegExp(`${DETAIL}/([^/]+)$`), of((instance) => json(viewOf(instance)))],
  [
    "DELETE",
    new RegExp(`^${VNF}/([^/]+)$`),
    of((instance, context) => {
      if (instance.instantiated) return problem(409, "Terminate it first", "The VNF instance is instantiated.");
      const refused = stale(context, instance.version);
      if (refused) return refused;
      drop(context, instance);
      return none();
    }),
  ],
  ["POST", new RegExp(`${DETAIL}/([^/]+)/accept_drift$`), of(accept)],
  ["POST", new RegExp(`${DETAIL}/([^/]+)/forget$`), of(forget)],
];
