import { type Db } from "./db";
import { newId, now } from "./util";
import { json, notFound, problem, stale, type Context } from "./http";
import type { Route } from "./routes";
import type * as T from "../src/api/types";
import { LINK_DOWN } from "./traps";

export interface Configured {
  plan: T.ConfigurationPlan;
  /** The latest version comes first. */
  versions: T.ConfigurationText[];
  jobs: T.ConfigurationJobDetail[];
  traps: T.Trap[];
}

export function makeVersion(number: number, text: string): T.ConfigurationText {
  return {
    ...{ id: newId(), number, reason: "REQUEST", by: "admin", takenAt: now(), confirmedAt: now(), text },
    ...{ lines: text.split("\n").length, size: text.length },
  };
}

export const makeConfigured = (): Configured => ({
  plan: {
    ...{ intervalSeconds: 86_400, onChange: true, keepVersions: 50, nextBackupAt: null, latestVersion: null },
    version: 1,
  },
  versions: [
    makeVersion(3, "system name fra-pe-1\nport 1/1/2\n  no shutdown\nport 1/1/3\n  no shutdown"),
    makeVersion(2, "system name fra-pe-1\nport 1/1/2\n  no shutdown"),
    makeVersion(1, "system name fra-pe-1"),
  ],
  jobs: [],
  traps: [
    {
      ...{ id: 1, elementId: null, elementName: null, sourceAddress: "192.0.2.11", name: "linkDown" },
      ...{ trapOid: "1.3.6.1.6.3.1.1.5.3", ...LINK_DOWN, receivedAt: now(), sequence: 7 },
    },
  ],
});

function of(db: Db, elementId: string): Configured {
  const known = db.configured.get(elementId) ?? makeConfigured();
  db.configured.set(elementId, known);
  return known;
}

/** In tests a job ends at once; lines that contain "bogus" are refused with the element's own message. */
function job(context: Context, patch: Partial<T.ConfigurationJobDetail>): Response {
  const elementId = context.params[0] ?? "";
  const { jobs } = of(context.db, elementId);
  const made = {
    ...{ id: newId(), elementId, kind: "PUSH", state: "WAITING", dryRun: false, reason: "REQUEST", by: "admin" },
    ...{ targetVersionId: null, fdn: "", adminState: "", beforeVersionId: null, versionId: null, changed: null },
    takesBack: null,
    ...{
      problem: null,
      attempts: 0,
      createdAt: now(),
      startedAt: now(),
      endedAt: null,
      version: 1,
      text: "",
      diff: "",
    },
    ...patch,
  } as T.ConfigurationJobDetail;
  jobs.unshift(made);
  context.later(2, () => {
    const refused = made.text.includes("bogus");
    const words = "MINOR: CLI Bad command, line 1";
    Object.assign(made, refused ? { state: "FAILED", problem: { title: "Refused", status: 422, detail: words } } : {});
    const takesBack = made.dryRun ? !made.text.includes("shutdown") : null;
    if (!refused) Object.assign(made, { state: "DONE", changed: true, takesBack, diff: patch.diff ?? `+${made.text}` });
    made.endedAt = now();
    context.emit("configuration_job.changed", made.id);
  });
  return json(made, 202);
}

const BASE = "/api/v1/elements/([^/]+)";
const route = (method: string, path: string, handler: Route[2]): Route => [
  method,
  new RegExp(`^${BASE}${path}$`),
  handler,
];

export const configuration: Route[] = [
  route("GET", "/configuration", ({ db, params }) => json(of(db, params[0] ?? "").plan)),
  route("PATCH", "/configuration", (context) => {
    const { plan } = of(context.db, context.params[0] ?? "");
    const refusal = stale(context, plan.version);
    if (refusal) return refusal;
    context.emit("configuration.changed", context.params[0] ?? "");
    return json(Object.assign(plan, context.body, { version: plan.version + 1 }));
  }),
  route("GET", "/configuration/versions", ({ db, params }) =>
    json(of(db, params[0] ?? "").versions.map(({ text: _text, ...version }) => version)),
  ),
  route("GET", "/configuration/versions/([^/]+)", ({ db, params }) => {
    const found = of(db, params[0] ?? "").versions.find(({ id }) => id === params[1]);
    return found ? json(found) : notFound("version");
  }),
  route("GET", "/configuration/versions/([^/]+)/text", ({ db, params }) => {
    const found = of(db, params[0] ?? "").versions.find(({ id }) => id === params[1]);
    return found ? new Response(found.text) : notFound("version");
  }),
  route("GET", "/configuration/jobs", ({ db, params }) => json(of(db, params[0] ?? "").jobs)),
  route("GET", "/configuration/jobs/([^/]+)", ({ db, params }) => {
    const found = of(db, params[0] ?? "").jobs.find(({ id }) => id === params[1]);
    return found ? json(found) : notFound("job");
  }),
  route("POST", "/configuration/backup", (context) => job(context, { kind: "BACKUP" })),
  route("POST", "/configuration/push", (context) => job(context, context.body as T.ConfigurationPushInput)),
  route("POST", "/configuration/rollback", (context) => {
    const { versionId, dryRun = false } = context.body as T.ConfigurationRollbackInput;
    return job(context, { kind: "ROLLBACK", targetVersionId: versionId, dryRun, diff: "-port 1/1/2" });
  }),
  route("POST", "/admin_state", (context) => {
    const { fdn, adminState, evenIfManagementPathUnknown } = context.body as T.AdminStateInput;
    const part = context.db.equipment.get(context.params[0] ?? "")?.find((each) => each.fdn === fdn);
    if (!part) return problem(422, "No such part", fdn);
    if (part.name.includes("1/1/3") && !evenIfManagementPathUnknown)
      return problem(409, "Conflict", "The management path of the element is unknown.", {
        code: "MANAGEMENT_PATH_UNKNOWN",
      });
    part.adminState = adminState;
    context.emit("network_element.changed", context.params[0] ?? "");
    return job(context, { kind: "ADMIN_STATE", fdn, adminState });
  }),
  route("GET", "/traps", ({ db, params }) => json(of(db, params[0] ?? "").traps)),
];
