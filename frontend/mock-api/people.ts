import { type Db } from "./db";
import { apiClient, entry, user } from "./fixtures/people";
import { newId, now } from "./util";
import { csv, json, none, notFound, problem, stale, type Context } from "./http";
import { listed } from "./lists";
import type { Route } from "./routes";
import type * as P from "../src/api/people";

const SHORTEST = 10;

/** A new installation has only the first administrator. */
export const firstUser = ({ users: [first] }: Db): P.User[] => (first ? [first] : []);

const isAdmin = ({ db }: Context): boolean => db.session?.roles.includes("admin") ?? false;
const ofAdmins =
  (handler: (context: Context) => Response) =>
  (context: Context): Response =>
    isAdmin(context) ? handler(context) : problem(403, "You are not allowed to do this", "This takes the role admin.");

function weak(password: string | undefined): Response | undefined {
  if (password === undefined || password.length >= SHORTEST) return undefined;
  const message = `This password is too short. It must contain at least ${SHORTEST} characters.`;
  return problem(422, "Invalid input", message, { errors: [{ field: "/password", message }] });
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
    return problem(422, "Invalid input", message, { code: "WRONG_PASSWORD", errors });
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

const secret = (): string => newId().replaceAll("-", "");

function createClient({ db, body }: Context): Response {
  const input = body as P.ApiClientInput;
  if (db.apiClients.some(({ clientId }) => clientId === input.clientId)) {
    const words = `There is a user '${input.clientId}' already.`;
    return problem(409, "Conflict", words, { code: "USERNAME_TAKEN", nextStep: "Choose another name." });
  }
  const made = apiClient(input.clientId, { ...input, createdAt: now() });
  db.apiClients.push(made);
  return json({ ...made, secret: secret() }, 201);
}

function updateClient(context: Context): Response {
  const { db, params, body } = context;
  const found = db.apiClients.find(({ id }) => id === params[0]);
  if (!found) return notFound("API client");
  const refusal = stale(context, found.version);
  if (refusal) return refusal;
  Object.assign(found, body, { version: found.version + 1 });
  return json(found);
}

function renewSecret({ db, params }: Context): Response {
  const found = db.apiClients.find(({ id }) => id === params[0]);
  if (!found) return notFound("API client");
  Object.assign(found, { version: found.version + 1 });
  return json({ ...found, secret: secret() });
}

/** The API filters by these columns but does not send them. */
const withComputed = (each: P.AuditEntry, _index: number, all: readonly P.AuditEntry[]) => ({
  ...each,
  dryRun: String(each.detail["dryRun"] === true || each.object.startsWith("/api/v1/plans")),
  hasResult: String(all.some(({ detail }) => detail["job"] !== undefined && detail["job"] === each.detail["id"])),
});

export const people: Route[] = [
  ["GET", /^\/api\/v1\/users$/, ofAdmins((context) => listed(context, context.db.users))],
  ["POST", /^\/api\/v1\/users$/, ofAdmins(create)],
  ["PATCH", /^\/api\/v1\/users\/([^/]+)$/, ofAdmins(update)],
  ["PUT", /^\/api\/v1\/session\/password$/, changePassword],
  ["GET", /^\/api\/v1\/api_clients$/, ofAdmins((context) => listed(context, context.db.apiClients))],
  ["POST", /^\/api\/v1\/api_clients$/, ofAdmins(createClient)],
  ["PATCH", /^\/api\/v1\/api_clients\/([^/]+)$/, ofAdmins(updateClient)],
  ["POST", /^\/api\/v1\/api_clients\/([^/]+)\/secret$/, ofAdmins(renewSecret)],
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
  [
    "GET",
    /^\/api\/v1\/users\/([^/]+)\/api_tokens$/,
    ofAdmins((context) => listed(context, context.db.users[0]?.id === context.params[0] ? context.db.tokens : [])),
  ],
  [
    "DELETE",
    /^\/api\/v1\/users\/[^/]+\/api_tokens\/([^/]+)$/,
    ofAdmins(({ db, params }) => {
      db.tokens = db.tokens.filter(({ id }) => id !== params[0]);
      return none();
    }),
  ],
  ["GET", /^\/api\/v1\/audit$/, ofAdmins((context) => listed(context, context.db.audit.map(withComputed)))],
  ["GET", /^\/api\/v1\/audit\.csv$/, ofAdmins(({ db }) => csv(["at", "actor", "action", "object"], db.audit))],
];
