import { ago, newId, now, type Db } from "./db";
import { json, none, notFound, problem, stale, type Context } from "./http";
import { listed } from "./lists";
import type { Route } from "./routes";
import type * as P from "../src/api/people";

const SHORTEST = 10;

const user = (username: string, patch: Partial<P.User>): P.User => ({
  ...{ id: newId(), username, displayName: "", role: "viewer", isActive: true },
  ...{ createdAt: ago(8_000_000), lastLogin: null, version: 1, ...patch },
});

export const makeUsers = (): P.User[] => [
  user("admin", { role: "admin", lastLogin: ago(600) }),
  user("ann", { displayName: "Ann Operator", role: "operator", lastLogin: ago(90_000) }),
  user("left", { displayName: "Left Long Ago", isActive: false, lastLogin: ago(7_000_000) }),
];

export const makeTokens = (): P.ApiToken[] => [
  { id: newId(), name: "backup script", expiresAt: null, createdAt: ago(900_000), lastUsedAt: ago(40) },
  { id: newId(), name: "old pipeline", expiresAt: ago(3000), createdAt: ago(2_600_000), lastUsedAt: null },
];

let lastEntry = 0;
const entry = (patch: Partial<P.AuditEntry>): P.AuditEntry => {
  lastEntry += 1;
  const whence = { address: "192.0.2.7", requestId: `req-${lastEntry}` };
  return { id: lastEntry, at: now(), actor: "admin", action: "login", object: "", detail: {}, ...whence, ...patch };
};

/** Of an instance, and of what else there is. The latest first. */
export function makeAudit(instanceId: string): P.AuditEntry[] {
  const told: Partial<P.AuditEntry>[] = [
    { action: "login", at: ago(90_000), actor: "ann" },
    { action: "POST 202", object: `/vnflcm/v2/vnf_instances/${instanceId}/scale`, actor: "ann", at: ago(80_000) },
    { action: "alarms.acknowledge", object: "2 alarms", detail: { alarms: ["a", "b"] }, at: ago(7000) },
    { action: "POST 403", object: "/api/v1/users", actor: "ann", at: ago(5000) },
    { action: "user.update", object: "ann", detail: { role: "operator" }, at: ago(4000) },
    { action: "login.refused", actor: "unknown name 3f2a9c0d11e7", address: "198.51.100.9", at: ago(300) },
  ];
  return told.map(entry).reverse();
}

/** The world of a new installation has whoever set it up. */
export const firstUser = ({ users: [first] }: Db): P.User[] => (first ? [first] : []);

const isAdmin = ({ db }: Context): boolean => db.session?.roles.includes("admin") ?? false;
const ofAdmins =
  (handler: (context: Context) => Response) =>
  (context: Context): Response =>
    isAdmin(context) ? handler(context) : problem(403, "You may not do this", "This takes the role admin.");

function weak(password: string | undefined): Response | undefined {
  if (password === undefined || password.length >= SHORTEST) return undefined;
  const message = `This password is too short. It must contain at least ${SHORTEST} characters.`;
  return problem(422, "Not possible as asked", message, { errors: [{ field: "/password", message }] });
}

function create({ db, body }: Context): Response {
  const { password, ...input } = body as P.UserInput;
  const refusal = weak(password);
  if (refusal) return refusal;
  if (db.users.some(({ username }) => username === input.username)) {
    const words = `There is a user '${input.username}' already.`;
    return problem(409, "Conflict", words, { code: "USERNAME_TAKEN", nextStep: "Choose another name." });
  }
  const made = user(input.username, { ...input, createdAt: now() });
  db.users.push(made);
  return json(made, 201);
}

function update(context: Context): Response {
  const { db, params, body } = context;
  const found = db.users.find(({ id }) => id === params[0]);
  if (!found) return notFound("user");
  const { password, ...input } = body as P.UserChange;
  const refusal = stale(context, found.version) ?? weak(password);
  if (refusal) return refusal;
  const next = { ...found, ...input };
  const admins = db.users.filter(({ id, role, isActive }) => id !== found.id && role === "admin" && isActive);
  if (found.role === "admin" && (next.role !== "admin" || !next.isActive) && admins.length === 0) {
    const words = `${found.username} is the last active administrator.`;
    return problem(409, "Conflict", words, { code: "LAST_ADMINISTRATOR", nextStep: "Make another one first." });
  }
  Object.assign(found, input, { version: found.version + 1 });
  db.audit.unshift(entry({ action: "user.update", object: found.username, detail: { ...input } }));
  return json(found);
}

function changePassword({ db, body }: Context): Response {
  const { presentPassword, password } = body as P.PasswordChange;
  if (presentPassword === "wrong") {
    const message = "This is not your present password.";
    const errors = [{ field: "/presentPassword", message }];
    return problem(422, "Not possible as asked", message, { code: "WRONG_PASSWORD", errors });
  }
  const refusal = weak(password);
  if (refusal) return refusal;
  db.tokens = [];
  return none();
}

function issue({ db, body }: Context): Response {
  const { name, expiresAt = null } = body as P.ApiTokenInput;
  if (expiresAt !== null && expiresAt <= now()) {
    const message = "This time has passed.";
    return problem(400, "Bad request", message, { errors: [{ field: "/expiresAt", message }] });
  }
  const token: P.ApiToken = { id: newId(), name, expiresAt, createdAt: now(), lastUsedAt: null };
  db.tokens.push(token);
  return json({ ...token, token: `vnfm_${newId().replaceAll("-", "")}` }, 201);
}

function csv({ db }: Context): Response {
  const lines = db.audit.map(({ at, actor, action, object }) => [at, actor, action, object].join(","));
  const text = ["at,actor,action,object", ...lines].join("\r\n");
  return new Response(text, { headers: { "Content-Type": "text/csv" } });
}

/** Users, their tokens and passwords, and who did what. */
export const people: Route[] = [
  ["GET", /^\/api\/v1\/users$/, ofAdmins((context) => listed(context, context.db.users))],
  ["POST", /^\/api\/v1\/users$/, ofAdmins(create)],
  ["PATCH", /^\/api\/v1\/users\/([^/]+)$/, ofAdmins(update)],
  ["PUT", /^\/api\/v1\/session\/password$/, changePassword],
  ["GET", /^\/api\/v1\/api_tokens$/, (context) => listed(context, context.db.tokens)],
  ["POST", /^\/api\/v1\/api_tokens$/, issue],
  [
    "DELETE",
    /^\/api\/v1\/api_tokens\/([^/]+)$/,
    ({ db, params }) => {
      if (!db.tokens.some(({ id }) => id === params[0])) return notFound("token");
      db.tokens = db.tokens.filter(({ id }) => id !== params[0]);
      return none();
    },
  ],
  ["GET", /^\/api\/v1\/audit$/, ofAdmins((context) => listed(context, context.db.audit))],
  ["GET", /^\/api\/v1\/audit\.csv$/, ofAdmins(csv)],
];
