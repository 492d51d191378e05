/** Texts name a request of the audit trail as its button does. */
import { plural, t } from "@lingui/core/macro";
import { pb } from "@/paths";
import { wordsOf } from "./names";

interface Entry {
  action: string;
  object: string;
  detail?: Readonly<Record<string, unknown>>;
}
const REQUEST = /^([A-Z]+) (\d{3})$/;

/** Method and status; undefined for an entry that is not a request. */
export function requestOf({ action }: Pick<Entry, "action">): { method: string; status: number } | undefined {
  const [, method, status] = REQUEST.exec(action) ?? [];
  return method === undefined ? undefined : { method, status: Number(status) };
}

/** The parts of an entry that identify its object. */
interface About {
  action: string;
  object: string;
  detail: Readonly<Record<string, unknown>>;
}

/** Keys: collection of the API. */
const NOUN: Record<string, string> = {
  alarms: t`alarm`,
  alarm_policies: t`alarm policy`,
  alarm_routes: t`alarm route`,
  api_clients: t`API client`,
  automation_policies: t`automation policy`,
  boards: t`board`,
  charts: t`chart`,
  deliveries: t`delivery`,
  discovery_rules: t`discovery rule`,
  elements: t`network element`,
  environments: t`environment`,
  maintenance_windows: t`maintenance window`,
  management_profiles: t`management profile`,
  mediation_policies: t`mediation policy`,
  plans: t`plan`,
  session: t`session`,
  sites: t`site`,
  subscriptions: t`subscription`,
  threshold_rules: t`threshold rule`,
  tokens: t`token`,
  unclaimed: t`orphaned resource`,
  users: t`user`,
  vims: t`cloud`,
  vnf_instances: t`VNF instance`,
  vnf_lcm_op_occs: t`operation`,
  vnf_packages: t`VNF package`,
};
/** Keys: last part of a path, if it is an action. */
const TASK: Record<string, string> = {
  instantiate: t`Instantiate`,
  terminate: t`Terminate`,
  scale: t`Scale`,
  scale_to_level: t`Scale to level`,
  change_flavour: t`Change deployment flavour`,
  change_ext_conn: t`Change connectivity`,
  change_vnfpkg: t`Upgrade`,
  create_snapshot: t`Take a snapshot`,
  revert_to_snapshot: t`Revert to a snapshot`,
  heal: t`Heal`,
  operate: t`Start or stop`,
  retry: t`Retry`,
  rollback: t`Roll back`,
  fail: t`Mark as failed`,
  cancel: t`Cancel`,
  push: t`Push configuration to`,
  backup: t`Back up`,
  configuration: t`Change the backup schedule of`,
  admin_state: t`Change the admin state of`,
  acknowledge: t`Acknowledge`,
  clear: t`Clear`,
  assign: t`Assign`,
  notes: t`Comment on`,
  console: t`Open a console of`,
  console_log: t`Read the console log of`,
  suspend: t`Suspend`,
  manage: t`Manage`,
  unmanage: t`Unmanage`,
  probe: t`Probe`,
  resync: t`Resync`,
  accept: t`Accept drift of`,
  package_content: t`Upload content of`,
};
/** "Stop VNFC pe-1-iom-1", "Start VNF instance", "Scale out VNF instance" */
function operationText(task: string, { changeStateTo, type, vnfcs }: About["detail"]): string | undefined {
  if (task === "scale" && (type === "SCALE_OUT" || type === "SCALE_IN"))
    return type === "SCALE_OUT" ? t`Scale out VNF instance` : t`Scale in VNF instance`;
  if (task !== "operate" || (changeStateTo !== "STARTED" && changeStateTo !== "STOPPED")) return undefined;
  const names = Array.isArray(vnfcs) ? vnfcs.map(String) : [];
  const list = names.join(", ");
  if (names.length === 0) return changeStateTo === "STOPPED" ? t`Stop VNF instance` : t`Start VNF instance`;
  return changeStateTo === "STOPPED" ? t`Stop VNFC ${list}` : t`Start VNFC ${list}`;
}
/** "rollback" is also an action of operations. */
const CONFIGURATION_TASK: Record<string, string> = { rollback: t`Roll back configuration of` };
/** Requests to these collections are actions. */
const COLLECTION_TEXT: Record<string, string> = {
  plans: t`Plan an operation`,
  first_steps: t`Arrange the first steps`,
};
const VERB: Record<string, string> = { POST: t`Create`, PUT: t`Replace`, PATCH: t`Edit`, DELETE: t`Delete` };
/** The session is not an object for its user. */
const SESSION: Record<string, string> = { POST: t`Open a session`, DELETE: t`Log out` };
/** Entries that are not requests: "user.update". */
const EVENT: Record<string, string> = {
  login: t`Log in`,
  "login.refused": t`Log in`,
  "GET secrets": t`Read the secrets of a configuration`,
  "GET console log": t`Read a console log`,
  "element host key forgotten": t`Forget the host key`,
  drift_accept: t`Accept drift`,
  instance_forget: t`Forget VNF instance`,
  snapshot_forget: t`Forget snapshot`,
};
const JOB = /^configuration (PUSH|ROLLBACK|ADMIN_STATE|BACKUP) (DONE|FAILED)$/;
const JOB_TEXT: Record<string, { DONE: string; FAILED: string }> = {
  PUSH: { DONE: t`Configuration pushed`, FAILED: t`Push configuration` },
  ROLLBACK: { DONE: t`Configuration rolled back`, FAILED: t`Roll back configuration` },
  BACKUP: { DONE: t`Configuration backed up`, FAILED: t`Back up` },
};

/** "Configuration pushed: 1 line added", "Port 1/1/3 shut down"; "Push configuration" for one that failed. */
function jobText(kind: string, state: string, { changed, fdn, adminState, ...detail }: About["detail"]): string {
  if (kind === "ADMIN_STATE") {
    const part = String(fdn).split(":").slice(2).join(":");
    return adminState === "UP" ? t`Bring up ${part}` : t`Shut down ${part}`;
  }
  const words = JOB_TEXT[kind]?.[state === "DONE" ? "DONE" : "FAILED"] ?? wordsOf(kind);
  const [added, removed] = [detail["linesAdded"], detail["linesRemoved"]].map(Number);
  const lines = [
    added ? plural(added, { one: "# line added", other: "# lines added" }) : "",
    removed ? plural(removed, { one: "# line removed", other: "# lines removed" }) : "",
    changed === false ? t`nothing changed` : "",
  ].filter(Boolean);
  return lines.length > 0 ? `${words}: ${lines.join(", ")}` : words;
}

const EVENT_VERB: Record<string, string> = {
  acknowledge: t`Acknowledge`,
  assign: t`Assign`,
  clear: t`Clear`,
  create: t`Create`,
  delete: t`Delete`,
  end: t`End`,
  issue: t`Create`,
  note: t`Comment on`,
  secret: t`Renew the secret of`,
  unacknowledge: t`Unacknowledge`,
  update: t`Edit`,
};
function eventText(action: string, detail: About["detail"]): string {
  const [, kind = "", state = ""] = JOB.exec(action) ?? [];
  if (kind) return jobText(kind, state, detail);
  const [noun = "", verb = ""] = action.split(".");
  const known = EVENT[action] ?? EVENT_VERB[verb];
  if (known === undefined) return sentence(wordsOf(action.replaceAll(/[._]/g, " ")));
  return action in EVENT ? known : `${known} ${wordsOf(noun.replaceAll("_", " "))}`;
}
const ROOTS = /^\/(?:api\/v1|vnflcm\/v\d|vnfpkgm\/v\d|vnffm\/v\d|vnfpm\/v\d|vnfind\/v\d)\//;
const ID = /^[\da-f]{8}-[\da-f-]{27}$|^\d+$/i;

/**
 * "Instantiate VNF instance" for `POST 202` of `/vnflcm/v2/vnf_instances/…/instantiate`, "Edit user" for
 * `user.update`.
 */
export function auditText({ action, object, detail = {} }: Entry): string {
  const method = requestOf({ action })?.method;
  if (method === undefined || !ROOTS.test(object)) return eventText(action, detail);
  const names = object
    .replace(ROOTS, "")
    .split("/")
    .filter((part) => part !== "" && !ID.test(part));
  const last = names.at(-1) ?? "";
  const noun = (name: string) => NOUN[name] ?? wordsOf(name.replaceAll("_", " "));
  const [collection = ""] = names;
  const dryRun = (text: string) =>
    detail["dryRun"] === true ? t`Dry run: ${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
  if (last === "session" && SESSION[method] !== undefined) return SESSION[method];
  if (COLLECTION_TEXT[last] !== undefined) return COLLECTION_TEXT[last];
  const asked = operationText(last, detail);
  if (asked !== undefined) return asked;
  const task = (names.includes("configuration") ? CONFIGURATION_TASK[last] : undefined) ?? TASK[last];
  if (task !== undefined) return dryRun(`${task} ${noun(collection === last ? "" : collection)}`.trim());
  // A name after an id that is not a collection is an action on the object.
  if (method === "POST" && names.length > 1 && NOUN[last] === undefined)
    return `${sentence(wordsOf(last.replaceAll("_", " ")))}: ${noun(collection)}`;
  return `${VERB[method] ?? method} ${noun(last)}`;
}

const PAGES: Record<string, (id: string) => string> = {
  vnf_instances: pb.instance,
  vnf_packages: pb.vnfPackage,
  elements: pb.element,
  vims: pb.vim,
};

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** The id is in the path, or belongs to the object that the request created. */
function partsOf({ object, detail: { id: created } }: About): { collection: string; id: string } {
  const [collection = "", own = ""] = object.replace(ROOTS, "").split("/");
  return { collection, id: ID.test(own) ? own : typeof created === "string" ? created : "" };
}

/** "alarm route noc"; undefined if the object of the event is not an id. */
function eventObject({ action, object, detail: { name } }: About): string | undefined {
  if (JOB.test(action)) return `${NOUN["elements"] ?? ""} ${object}`;
  if (!ID.test(object)) return undefined;
  const [noun = ""] = action.split(".");
  return `${wordsOf(noun.replaceAll("_", " "))} ${typeof name === "string" ? name : object.slice(0, 8)}`;
}

const nameIn = ({ vnfInstanceName, username, name }: About["detail"]): string | undefined =>
  [vnfInstanceName, username, name].find((each): each is string => typeof each === "string");

/** "VNF instance pe-1"; without a name, the beginning of the id. */
export function auditObject(about: About): string | undefined {
  if (!ROOTS.test(about.object)) return eventObject(about);
  const { collection, id } = partsOf(about);
  const { names } = about.detail;
  const name = typeof names === "object" && names !== null ? Object.entries(names) : [];
  const [, known = nameIn(about.detail) ?? id.slice(0, 8)] = name.find(([of]) => of === collection) ?? [];
  return `${NOUN[collection] ?? wordsOf(collection.replaceAll("_", " "))} ${String(known)}`.trim();
}

/** Identifies the job whose changed lines can be shown. */
export function auditJob(about: About): { element: string; job: string } | undefined {
  const { element, job, id, dryRun } = about.detail;
  if (JOB.test(about.action) && typeof element === "string" && typeof job === "string") return { element, job };
  // The accepted request and the finished change are two entries; only the second one has lines.
  const asked = /\/elements\/([\da-f-]{36})\/(?:configuration\/(?:push|rollback)|admin_state)$/.exec(about.object);
  return asked?.[1] && typeof id === "string" && dryRun === true ? { element: asked[1], job: id } : undefined;
}

/** Undefined if the object has no page. */
export function auditAddress(about: About): string | undefined {
  const { element } = about.detail;
  if (JOB.test(about.action) && typeof element === "string") return pb.element(element);
  const { collection, id } = partsOf(about);
  return ROOTS.test(about.object) && ID.test(id) ? PAGES[collection]?.(id) : undefined;
}
