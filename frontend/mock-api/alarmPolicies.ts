import { type Db } from "./db";
import { now } from "./util";
import { json, none, notFound, problem, type Context } from "./http";
import { listed } from "./lists";
import { fresh, records } from "./records";
import type { Route } from "./routes";
import type * as T from "../src/api/types";

const POLICY: Omit<T.AlarmPolicy, "id" | "version"> = {
  ...{ faultType: "", initialSeverity: "", escalateAfterMinutes: null, escalateOccurrences: null },
  ...{ deescalateAfterMinutes: null, debounceSeconds: null, autoAckOnClear: null, keepClearedDays: 30 },
  ...{ pending: false, changedBy: "admin", changedAt: now() },
};

const nameOf = (db: Db, type: T.ManagedObjectType, id: string): string => {
  const rows = { NETWORK_ELEMENT: db.elements, VNF_INSTANCE: db.instances, VIM: db.vims, MANAGER: [] as T.Vim[] }[type];
  return rows.find((each) => each.id === id)?.name ?? "";
};

function automationPolicy({ db }: Context, input: T.AutomationPolicyInput): T.AutomationPolicy {
  const condition: T.AutomationPolicy["conditions"][number] = {
    ...{ type: "Watching", status: "True", reason: "Watching", message: "It looks at every change." },
    lastTransitionTime: now(),
  };
  return {
    ...{ ...fresh(), createdBy: "admin", changedAt: now(), conditions: [condition], description: "" },
    ...{ state: "ENABLED", dryRun: false, vnfPkgId: null, vnfProductName: null, heal: null, scale: null },
    ...{ vnfInstanceId: null, ...input },
    vnfInstanceName: db.instances.find(({ id }) => id === input.vnfInstanceId)?.name ?? null,
  };
}

export const alarmPolicies: Route[] = [
  ...records<T.AlarmPolicy>("alarm_policies", {
    rows: ({ db }) => db.alarmPolicies,
    make: (input) => ({ ...POLICY, ...(input as Partial<T.AlarmPolicy>), ...fresh() }),
  }),
  ...records<T.MaintenanceWindow>("maintenance_windows", {
    rows: ({ db }) => db.windows,
    make: (input, { db }) => {
      const wanted = input as unknown as T.MaintenanceWindowInput;
      const managedObjectName = nameOf(db, wanted.managedObjectType, wanted.managedObjectId);
      return { ...wanted, managedObjectName, createdBy: "admin", ...fresh() };
    },
  }),
  ...records<T.AutomationPolicy>("automation_policies", {
    rows: ({ db }) => db.automationPolicies,
    topic: "automation_policy.changed",
    make: (input, context) => automationPolicy(context, input as unknown as T.AutomationPolicyInput),
  }),
  [
    "POST",
    /^\/api\/v1\/automation_policies\/([^/]+)\/resume$/,
    ({ db, params, emit }) => {
      const found = db.automationPolicies.find(({ id }) => id === params[0]);
      if (!found) return notFound("automation policy");
      if (found.state !== "PAUSED") return problem(409, "Conflict", "The policy is not paused.");
      Object.assign(found, { state: "ENABLED", version: found.version + 1 });
      emit("automation_policy.changed", found.id, found.version);
      return json(found);
    },
  ],
  [
    "GET",
    /^\/api\/v1\/automation_policies\/([^/]+)\/decisions$/,
    (context) => listed(context, context.db.decisions.get(context.params[0] ?? "") ?? []),
  ],
  [
    "GET",
    /^\/api\/v1\/vims\/([^/]+)\/watch$/,
    () =>
      json({
        interval: { seconds: 5, reason: "Quiet", message: "Nothing has changed for a while." },
        ...{ lookedAt: now(), changedAt: now(), failures: 0, mayListHosts: true },
        questions: [{ name: "servers", answeredAt: now(), seconds: 0.12 }],
      }),
  ],
  [
    "GET",
    /^\/api\/v1\/vims\/([^/]+)\/hosts$/,
    () =>
      json([
        {
          ...{ name: "compute-1", state: "up", service: "up", status: "enabled", forcedDown: false, reason: "" },
          ...{ since: now(), observedAt: now() },
        },
      ]),
  ],
  ["GET", /^\/api\/v1\/vims\/([^/]+)\/notifications$/, ({ db }) => json(db.bus)],
  [
    "PUT",
    /^\/api\/v1\/vims\/([^/]+)\/notifications$/,
    ({ db, body }) => {
      const { transportUrl, ...rest } = body as T.VimBusInput;
      Object.assign(db.bus, rest, { version: db.bus.version + 1 });
      if (transportUrl) Object.assign(db.bus, { hasTransportUrl: true });
      return json(db.bus);
    },
  ],
  [
    "DELETE",
    /^\/api\/v1\/vims\/([^/]+)\/notifications$/,
    ({ db }) => {
      Object.assign(db.bus, { hasTransportUrl: false });
      return none();
    },
  ],
  [
    "GET",
    /^\/api\/v1\/vims\/([^/]+)\/webhooks$/,
    ({ db }) =>
      db.session?.roles.includes("admin")
        ? json(db.webhook)
        : problem(403, "You are not allowed to do this", "This takes the role admin."),
  ],
  [
    "POST",
    /^\/api\/v1\/vims\/([^/]+)\/webhooks$/,
    ({ db, params }) => {
      db.webhook.aodhUrl = `https://vnfm.example/api/v1/vims/${params[0] ?? ""}/webhooks/aodh/b1946ac9`;
      db.webhook.madeAt = now();
      return json(db.webhook, 201);
    },
  ],
  [
    "DELETE",
    /^\/api\/v1\/vims\/([^/]+)\/webhooks$/,
    ({ db }) => {
      Object.assign(db.webhook, { aodhUrl: null, madeAt: null });
      return none();
    },
  ],
];
