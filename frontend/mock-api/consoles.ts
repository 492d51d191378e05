import { type Db } from "./db";
import { newId, now } from "./util";
import { json, none, notFound, problem, type Context } from "./http";
import type { Route } from "./routes";
import type * as T from "../src/api/types";

const INSTANCE = "^/api/v1/vnf_instances/([^/]+)";
const LOG = [
  "[    0.000000] Linux version 4.2.0",
  "[    1.204511] virtio_net virtio0: link is up",
  "cloud-init[612]: Cloud-init v. 0.7.6 finished",
  "login: ",
];

const vnfcAt = ({ db, params: [instance, vnfc] }: Context): T.Vnfc | undefined =>
  db.instances.find(({ id }) => id === instance)?.vnfcs.find(({ id }) => id === vnfc);
const isViewer = ({ session }: Db): boolean => !session?.roles.includes("operator");
const forbidden = () => problem(403, "Forbidden", "You do not have permission to perform this action.");

/** Nova's own message says that a VM which does not run has no console. */
function notReady(vnfc: T.Vnfc, doing: string): Response | undefined {
  if (vnfc.status !== "SHUTOFF") return undefined;
  const words = `Instance ${vnfc.serverId} is not ready`;
  return problem(409, "The cloud says that something is in the way", `${doing} of ${vnfc.name} failed: ${words}`, {
    code: "VIM_CONFLICT",
    nextStep: "A console is there while the server runs: start the VNFC, or wait until it has started; then ask again.",
    causes: [{ source: "nova", message: words }],
  });
}

const MINUTE_MS = 60_000;
const MOST = { consoles: 10, logs: 30 };

/** The server limits these requests per user and minute, because each one loads the cloud. */
function tooOften({ asks }: Db, what: keyof typeof MOST): Response | undefined {
  const present = Date.now();
  const recent = (asks.get(what) ?? []).filter((at) => at > present - MINUTE_MS);
  const [first = present] = recent;
  const isAllowed = recent.length < MOST[what];
  asks.set(what, isAllowed ? [...recent, present] : recent);
  if (isAllowed) return undefined;
  const seconds = Math.ceil((first + MINUTE_MS - present) / 1000);
  const things = what === "consoles" ? "addresses of consoles" : "logs of VMs";
  const words = `You have asked for too many ${things} within a minute; each keeps the cloud and a worker busy.`;
  return problem(429, "Too many requests", words, {
    ...{ code: "TOO_MANY_CONSOLES", retryAfter: seconds },
    nextStep: `Wait ${seconds} seconds, then ask again.`,
  });
}

function consoleOf(context: Context): Response {
  if (isViewer(context.db)) return forbidden();
  const refused = tooOften(context.db, "consoles");
  if (refused) return refused;
  const vnfc = vnfcAt(context);
  if (!vnfc) return notFound("VNFC");
  const url = `https://console.invalid/vnc_auto.html?token=${newId()}`;
  return notReady(vnfc, "Opening the console") ?? json({ url });
}

/** Each reading returns another line. */
function logOf(context: Context): Response {
  if (isViewer(context.db)) return forbidden();
  const refused = tooOften(context.db, "logs");
  if (refused) return refused;
  const lines = Number(context.url.searchParams.get("lines") ?? "200");
  if (!vnfcAt(context)) return notFound("VNFC");
  const beats = (context.db.asks.get("logs") ?? []).slice(1).map((_at, n) => `watchdog: alive, ${n + 1}`);
  return json({ text: [...LOG, ...beats].slice(-lines).join("\n"), lines, readAt: now() });
}

const of = ({ db, params: [id = ""] }: Context): T.Note[] => db.notes.get(id) ?? [];

export const consoles: Route[] = [
  ["POST", new RegExp(`${INSTANCE}/vnfcs/([^/]+)/console$`), consoleOf],
  ["GET", new RegExp(`${INSTANCE}/vnfcs/([^/]+)/console_log$`), logOf],
  ["GET", new RegExp(`${INSTANCE}/notes$`), (context) => json(of(context))],
  [
    "POST",
    new RegExp(`${INSTANCE}/notes$`),
    (context) => {
      if (isViewer(context.db)) return forbidden();
      const author = context.db.session?.username ?? "";
      const note = { id: newId(), author, text: (context.body as { text: string }).text, at: now() };
      context.db.notes.set(context.params[0] ?? "", [...of(context), note]);
      return json(note, 201);
    },
  ],
  [
    "DELETE",
    new RegExp(`${INSTANCE}/notes/([^/]+)$`),
    (context) => {
      const note = of(context).find(({ id }) => id === context.params[1]);
      if (!note) return notFound("note");
      if (note.author !== context.db.session?.username)
        return problem(403, "Forbidden", `Only ${note.author} may delete this note.`, { code: "NOT_YOUR_NOTE" });
      context.db.notes.set(
        context.params[0] ?? "",
        of(context).filter(({ id }) => id !== note.id),
      );
      return none();
    },
  ],
];
