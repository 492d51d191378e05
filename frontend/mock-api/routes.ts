import { readFileSync } from "node:fs";
import { alarmPolicies } from "./alarmPolicies";
import { boards } from "./boards";
import { catalog } from "./catalog";
import { admin } from "./db";
import { newId, now } from "./util";
import { configuration } from "./configuration";
import { consoles } from "./consoles";
import { dimensioning } from "./dimensioning";
import { elements } from "./elements";
import { environments } from "./environments";
import { faults } from "./faults";
import { frame } from "./frame";
import { json, none, notFound, problem, stale, type Context } from "./http";
import { innerNetwork, makeVim, network, reachable, resources } from "./fixtures/vims";
import { instances } from "./instances";
import { occurrences } from "./occurrences";
import { people } from "./people";
import { performance } from "./performance";
import { planResult } from "./plans";
import { alarmRoutes } from "./alarmRoutes";
import { subscriptions } from "./subscriptions";
import { tasks } from "./tasks";
import { thresholdRules } from "./thresholdRules";
import { topology } from "./topology";
import { traps } from "./traps";
import { unclaimed } from "./unclaimed";
import type * as T from "../src/api/types";

export type Route = [method: string, pattern: RegExp, handler: (context: Context) => Response | Promise<Response>];

const session: Route[] = [
  ["GET", /^\/api\/v1\/session$/, ({ db }) => (db.session ? json(db.session) : problem(401, "Log in first", ""))],
  [
    "GET",
    /^\/api\/v1\/session\/csrf$/,
    () => json({ csrfToken: "mock" }, 200, { "Set-Cookie": "csrftoken=mock; Path=/" }),
  ],
  [
    "POST",
    /^\/api\/v1\/session$/,
    ({ db, body }) => {
      const { username, password } = body as { username: string; password: string };
      if (password === "wrong") {
        return problem(401, "Wrong username or password", "The two do not belong together.", {
          code: "BAD_CREDENTIALS",
        });
      }
      db.session = admin(username);
      return json(db.session);
    },
  ],
  [
    "DELETE",
    /^\/api\/v1\/session$/,
    ({ db }) => {
      db.session = null;
      return none();
    },
  ],
];

function vimRefusal(input: T.VimInput): Response | undefined {
  const refuse = (field: string, message: string, source: string, words: string) =>
    problem(422, "The cloud cannot be used like this", "It was not registered.", {
      code: "VIM_PROBE_FAILED",
      nextStep: "Correct the field and register again.",
      causes: [{ source, message: words }],
      errors: [{ field, message }],
    });
  if (input.password === "wrong") {
    return refuse(
      "/password",
      "Keystone refuses the user or the password.",
      "keystone",
      "The request you have made requires authentication. (HTTP 401)",
    );
  }
  if (input.authUrl.includes("nowhere")) {
    return refuse(
      "/authUrl",
      "Nothing answers there.",
      "keystone",
      "Unable to establish connection: Connection refused",
    );
  }
  return undefined;
}

/** The mock has one inner network, which belongs to the first instance. */
function vnfNetworks({ db, params }: Context): Response {
  const [owner] = db.instances.filter(({ vimId }) => vimId === params[0]);
  if (!owner) return json([]);
  return json([{ networkId: innerNetwork().id, vnfInstanceId: owner.id, vnfInstanceName: owner.name }]);
}

/** The server refuses a subnet that is invalid or has host bits. */
function createNetwork({ db, params, body, emit }: Context): Response {
  const found = db.vims.find((each) => each.id === params[0]);
  if (!found) return notFound("cloud");
  const { name, cidr, dhcp = true } = body as T.VimNetworkInput;
  if (!/^(?:(?:\d+\.){3}0|[0-9a-f:]+::)\/\d+$/i.test(cidr)) {
    const message = `Enter a subnet such as 10.20.0.0/24: ${cidr} is none.`;
    return problem(400, "Bad request", "The request is not valid.", { errors: [{ field: "/cidr", message }] });
  }
  const made = { ...network(name, [cidr]), id: newId() };
  for (const subnet of made.subnets) subnet.dhcp = dhcp;
  (db.resources[found.id] ??= resources()).networks.push(made);
  emit("vim.changed", found.id, (found.version += 1));
  return json(made, 201);
}

const vims: Route[] = [
  ["POST", /^\/api\/v1\/vims\/([^/]+)\/networks$/, createNetwork],
  ["GET", /^\/api\/v1\/vims\/([^/]+)\/vnf_networks$/, vnfNetworks],
  ["GET", /^\/api\/v1\/vims$/, ({ db }) => json(db.vims)],
  [
    "POST",
    /^\/api\/v1\/vims$/,
    ({ db, body, emit }) => {
      const { password: _password, ...input } = body as T.VimInput;
      const refusal = vimRefusal(body as T.VimInput);
      if (refusal) return refusal;
      const created = makeVim({ ...input, conditions: [{ ...reachable, lastTransitionTime: now() }], probedAt: now() });
      db.vims.push(created);
      db.resources[created.id] = resources();
      emit("vim.changed", created.id, created.version);
      return json(created, 201);
    },
  ],
  [
    "GET",
    /^\/api\/v1\/vims\/([^/]+)$/,
    ({ db, params }) => {
      const found = db.vims.find((each) => each.id === params[0]);
      return found ? json(found) : notFound("cloud");
    },
  ],
  [
    "PATCH",
    /^\/api\/v1\/vims\/([^/]+)$/,
    (context) => {
      const { db, params, body, emit } = context;
      const found = db.vims.find((each) => each.id === params[0]);
      if (!found) return notFound("cloud");
      const refusal = stale(context, found.version) ?? vimRefusal({ ...found, ...(body as T.VimInput) });
      if (refusal) return refusal;
      const { password: _password, ...input } = body as T.VimInput;
      Object.assign(found, input, { version: found.version + 1 });
      emit("vim.changed", found.id, found.version);
      return json(found);
    },
  ],
  [
    "DELETE",
    /^\/api\/v1\/vims\/([^/]+)$/,
    ({ db, params }) => {
      if (db.instances.some((each) => each.vimId === params[0])) {
        return problem(409, "The cloud is in use", "VNF instances run on it.", { nextStep: "Terminate them first." });
      }
      db.vims = db.vims.filter((each) => each.id !== params[0]);
      return none();
    },
  ],
  [
    "POST",
    /^\/api\/v1\/vims\/([^/]+)\/probe$/,
    ({ db, params, emit, later }) => {
      const found = db.vims.find((each) => each.id === params[0]);
      if (!found) return notFound("cloud");
      later(1, () => {
        found.probedAt = now();
        found.version += 1;
        emit("vim.changed", found.id, found.version);
      });
      return none(202);
    },
  ],
  [
    "GET",
    /^\/api\/v1\/vims\/([^/]+)\/resources$/,
    ({ db, params }) => json(db.resources[params[0] ?? ""] ?? resources()),
  ],
];

/** Another user changes an instance whose name ends in "-touched" while its plan is shown. */
function touchedMeanwhile(db: Context["db"], input: T.PlanInput): void {
  const instance = "vnfInstanceId" in input && db.instances.find((each) => each.id === input.vnfInstanceId);
  if (instance && instance.name.endsWith("-touched") && !instance.runningOpOccId) instance.version += 1;
}

const plans: Route[] = [
  [
    "POST",
    /^\/api\/v1\/plans$/,
    ({ db, body, emit, later }) => {
      const input = body as T.PlanInput;
      const plan: T.Plan = {
        ...{
          id: newId(),
          state: "PENDING",
          operation: input.operation,
          request: { ...input.request },
          createdAt: now(),
        },
        ...{ vnfdId: "", vnfInstanceId: null, result: null, problem: null },
      };
      db.plans.push(plan);
      later(0.7, () => {
        Object.assign(plan, planResult(db, input));
        touchedMeanwhile(db, input);
        emit("plan.changed", plan.id);
      });
      return json(plan, 202, { Location: `/api/v1/plans/${plan.id}` });
    },
  ],
  [
    "GET",
    /^\/api\/v1\/plans\/([^/]+)$/,
    ({ db, params }) => {
      const found = db.plans.find((each) => each.id === params[0]);
      return found ? json(found) : notFound("plan");
    },
  ],
];

const description: Route = [
  "GET",
  /^\/api\/v1\/(schema|docs)$/,
  () =>
    new Response(readFileSync("../backend/openapi.yaml", "utf8"), { headers: { "Content-Type": "application/yaml" } }),
];

export const routes: Route[] = [
  description,
  ...[
    ...session,
    ...people,
    ...subscriptions,
    ...alarmRoutes,
    ...catalog,
    ...dimensioning,
    ...vims,
    ...unclaimed,
    ...plans,
  ],
  ...[
    ...instances,
    ...tasks,
    ...occurrences,
    ...faults,
    ...elements,
    ...configuration,
    ...consoles,
    ...performance,
    ...thresholdRules,
    ...alarmPolicies,
    ...boards,
    ...environments,
    ...topology,
    ...traps,
    ...frame,
  ],
];
