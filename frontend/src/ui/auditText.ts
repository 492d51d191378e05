/** What a request of the audit trail did, in the words of its button. */
import { t } from "@lingui/core/macro";
import { pb } from "@/paths";
import { requestOf } from "./AuditEntryParts";
import { wordsOf } from "./names";

interface Entry {
  action: string;
  object: string;
}
/** What of an entry tells which object it is about. */
interface About {
  action: string;
  object: string;
  detail: Readonly<Record<string, unknown>>;
}

/** Collections of the API, in the singular. */
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
  tokens: t`token`,
  unclaimed: t`orphaned resource`,
  users: t`user`,
  vims: t`cloud`,
  vnf_instances: t`VNF instance`,
  vnf_lcm_op_occs: t`operation`,
  vnf_packages: t`VNF package`,
};
/** The last part of a path that is a task of its own. */
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
  probe: t`Probe`,
  resync: t`Resync`,
  accept: t`Accept drift of`,
  package_content: t`Upload content of`,
};
const VERB: Record<string, string> = { POST: t`Create`, PUT: t`Replace`, PATCH: t`Edit`, DELETE: t`Delete` };
/** Requests of the session, which is no object to its user. */
const SESSION: Record<string, string> = { POST: t`Open a session`, DELETE: t`Log out` };
/** What is recorded beside requests: "user.update". */
const EVENT: Record<string, string> = { login: t`Log in`, "login.refused": t`Log in` };
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
function eventText(action: string): string {
  const [noun = "", verb = ""] = action.split(".");
  const known = EVENT[action] ?? EVENT_VERB[verb];
  if (known === undefined) return wordsOf(action.replaceAll(/[._]/g, " "));
  return action in EVENT ? known : `${known} ${wordsOf(noun.replaceAll("_", " "))}`;
}
const ROOTS = /^\/(?:api\/v1|vnflcm\/v\d|vnfpkgm\/v\d|vnffm\/v\d|vnfpm\/v\d|vnfind\/v\d)\//;
const ID = /^[\da-f]{8}-[\da-f-]{27}$|^\d+$/i;

/** "Instantiate VNF instance" for `POST 202` of `/vnflcm/v2/vnf_instances/…/instantiate`, "Edit user" for `user.update`. */
export function auditText({ action, object }: Entry): string {
  const method = requestOf({ action })?.method;
  if (method === undefined || !ROOTS.test(object)) return eventText(action);
  const names = object
    .replace(ROOTS, "")
    .split("/")
    .filter((part) => part !== "" && !ID.test(part));
  const last = names.at(-1) ?? "";
  const noun = (name: string) => NOUN[name] ?? wordsOf(name.replaceAll("_", " "));
  const task = TASK[last];
  if (last === "session" && SESSION[method] !== undefined) return SESSION[method];
  if (task !== undefined) return `${task} ${noun(names.at(-2) ?? "")}`.trim();
  return `${VERB[method] ?? method} ${noun(last)}`;
}

const PAGES: Record<string, (id: string) => string> = {
  vnf_instances: pb.instance,
  vnf_packages: pb.vnfPackage,
  elements: pb.element,
  vims: pb.vim,
};

/** The collection of a request's object, and its id: that in the path, or of what the request created. */
function partsOf({ object, detail: { id: created } }: About): { collection: string; id: string } {
  const [collection = "", own = ""] = object.replace(ROOTS, "").split("/");
  return { collection, id: ID.test(own) ? own : typeof created === "string" ? created : "" };
}

/** "alarm route noc", of an event that has the id of its object. Undefined: what it has is no id. */
function eventObject({ action, object, detail: { name } }: About): string | undefined {
  if (!ID.test(object)) return undefined;
  const [noun = ""] = action.split(".");
  return `${wordsOf(noun.replaceAll("_", " "))} ${typeof name === "string" ? name : object.slice(0, 8)}`;
}

/** "VNF instance pe-1": by its kind and its name, or the beginning of its id. */
export function auditObject(about: About): string | undefined {
  if (!ROOTS.test(about.object)) return eventObject(about);
  const { collection, id } = partsOf(about);
  const { names } = about.detail;
  const name = typeof names === "object" && names !== null ? Object.entries(names) : [];
  const [, known = id.slice(0, 8)] = name.find(([of]) => of === collection) ?? [];
  return `${NOUN[collection] ?? wordsOf(collection.replaceAll("_", " "))} ${String(known)}`.trim();
}

/** The page of what the request was about, where it has one. */
export function auditAddress(about: About): string | undefined {
  const { collection, id } = partsOf(about);
  return ROOTS.test(about.object) && ID.test(id) ? PAGES[collection]?.(id) : undefined;
}
