/** Words that bring a page to a certain state, for tests and demonstrations. frontend/README.md lists them. */
import { json, problem } from "./http";
import type { Db } from "./db";

const DATASETS = ["usual", "empty", "many", "huge"] as const;
type Dataset = (typeof DATASETS)[number];

/**
 * These words stand in a page's address (`?mock=error-503,slow-5s`); those of `TYPED` also work in any other text
 * that is sent.
 */
export const SENTINELS: Record<string, string> = {
  "error-500": "the server made a mistake",
  "error-503": "the server is not ready",
  "forbidden-403": "nothing may be looked at",
  "missing-404": "what is asked for does not exist",
  "conflict-409": "a change does not fit the present state",
  "conflict-412": "another user has changed it",
  "slow-5s": "every answer takes so many seconds",
  "expired-401": "the session ends with the first answer after the page was loaded; it holds again after the login",
  garbled: "something else than the server answers, with a page of its own",
  offline: "the connection is cut, that of the events, too",
  stale: "everything is answered once, and not again; it is read again a second after the page was loaded",
  endless: "a list of more than one page never ends: those after the first are empty, and each has a next one",
  held: "no answer comes while this word stands",
  viewer: "the user may look, and change nothing",
  "storm-1000": "so many events come, a hundred a second",
  empty: "a new installation; stays with the browser until another dataset is chosen",
  many: "100,000 alarms, 10,000 VMs of 2,000 VNF instances, 2,000 network elements; stays as well",
  huge: "10,000 routers with 80,000 links at 100 sites, for the map; stays as well",
  usual: "the default dataset",
};
const TYPED = /\b(?:error-50[03]|forbidden-403|missing-404|conflict-409|conflict-412|slow-\d+s|garbled|offline)\b/g;

/** `error-503:alarms` applies only to paths that contain "alarms". */
interface Directive {
  word: string;
  part: string;
}
interface MockRequest {
  request: Request;
  url: URL;
  body: unknown;
}

const parseDirectives = (words: string): Directive[] =>
  words.split(",").map((each) => {
    const [word = "", part = ""] = each.split(":");
    return { word, part };
  });

function addressed(request: Request): Directive[] {
  const page = request.headers.get("Referer");
  return parseDirectives((page && new URL(page).searchParams.get("mock")) ?? "");
}

function typed({ url, body }: MockRequest): Directive[] {
  const sent = typeof body === "object" && body?.constructor === Object ? JSON.stringify(body) : "";
  const text = [url.pathname, ...url.searchParams.values(), sent].join(" ");
  return (text.match(TYPED) ?? []).map((word) => ({ word, part: "" }));
}

export const directivesOf = (sent: MockRequest): Directive[] => [...addressed(sent.request), ...typed(sent)];

const COOKIE = "vnfm-mock-world";
const isDataset = (word: string | undefined): word is Dataset => DATASETS.some((name) => name === word);

/** Links keep the dataset of the page. */
export function datasetOf(request: Request, directives: readonly Directive[]): Dataset {
  const wanted = directives.find(({ word }) => isDataset(word))?.word;
  const kept = new RegExp(`${COOKIE}=(\\w+)`).exec(request.headers.get("Cookie") ?? "")?.[1];
  return [wanted, kept].find(isDataset) ?? "usual";
}
export const datasetCookie = (world: Dataset): string => `${COOKIE}=${world}; Path=/; SameSite=Lax`;

type Refusal = [title: string, detail: string, nextStep: string];
const REFUSALS: Record<string, Refusal> = {
  "error-500": [
    "Something went wrong here",
    "The database does not answer.",
    "Try again; if it stays so, look into the log of the VNF manager.",
  ],
  "error-503": ["The VNF manager is not ready", "It is being started, or updated.", "Try again in a moment."],
  "forbidden-403": ["You are not allowed to do this", "It takes another role.", "Ask an administrator for that role."],
  "missing-404": ["No such thing", "It does not exist, or was deleted.", "Go back to the list."],
};
/** These answer changes only. */
const CONFLICTS: Record<string, Refusal> = {
  "conflict-409": ["Conflict", "The present state does not allow it.", "Read it again, then decide."],
  "conflict-412": [
    "Precondition failed",
    "The resource has changed since you read it: its ETag is now another.",
    "Read it again, then decide.",
  ],
  viewer: ["You are not allowed to do this", "This takes the role operator.", "Ask an administrator for that role."],
};

const refused = (word: string, [title, detail, nextStep]: Refusal): Response => {
  const status = word === "viewer" ? 403 : Number(word.slice(-3));
  const code = status === 412 ? "PRECONDITION_FAILED" : "ON_DEMAND";
  return problem(status, title, detail, { nextStep, code });
};
const isChange = ({ method }: Request): boolean => method !== "GET" && method !== "HEAD";
/** Other words leave the event stream alone, so that the page does not report a lost connection as well. */
const OF_STREAM: ReadonlySet<string> = new Set(["error-500", "error-503", "offline"]);
const PAGE = "<!doctype html><title>Proxy</title><p>Something between here and the server answers.";
export const EVENTS = "/api/v1/events";
const SESSION = "/api/v1/session";
const MARKER = "nextpage_opaque_marker";

/** A page without its session shows nothing else, so only a word that names the session applies to it. */
function concerns({ word, part }: Directive, path: string): boolean {
  if (path.startsWith(SESSION) && !part.includes("session")) return false;
  return path.includes(part) && (path !== EVENTS || OF_STREAM.has(word));
}

const pendingAnswers = new Set<{ path: string; go: () => void }>();
const waitForRelease = (path: string): Promise<void> => new Promise((go) => void pendingAnswers.add({ path, go }));

/** Tests set the words here and not in an address; answers that began under other words no longer arrive. */
export function setScenario(words: string): void {
  const directives = parseDirectives(words).filter(({ word }) => word === "held");
  for (const each of pendingAnswers) {
    if (directives.some((directive) => concerns(directive, each.path))) continue;
    pendingAnswers.delete(each);
    each.go();
  }
}

/** Every page has a next one. */
function endless({ request, url }: MockRequest): Response | undefined {
  const page = url.searchParams.get(MARKER);
  if (isChange(request) || page === null) return undefined;
  const next = new URL(url);
  next.searchParams.set(MARKER, String(Number(page) + 1));
  return json([], 200, { Link: `<${next.toString()}>; rel="next"` });
}

/** Answers words that need no memory of earlier requests. */
async function simply(word: string, sent: MockRequest): Promise<Response | undefined> {
  const [, seconds] = /^slow-(\d+)s$/.exec(word) ?? [];
  if (seconds) await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
  if (word === "offline") throw new TypeError("The connection was cut.");
  if (word === "garbled") return new Response(PAGE, { headers: { "Content-Type": "text/html" } });
  if (word === "endless") return endless(sent);
  const refusal = REFUSALS[word] ?? (isChange(sent.request) ? CONFLICTS[word] : undefined);
  return refusal && refused(word, refusal);
}

/**
 * Answers instead of the API where a directive applies. Each page load begins with the session, which resets the
 * state.
 */
export function createSentinels(): (
  sent: MockRequest & { directives: readonly Directive[]; db: Db },
) => Promise<Response | undefined> {
  const read = new Set<string>();
  let mayExpire = false;

  function again(key: string): boolean {
    const before = read.has(key);
    read.add(key);
    return before;
  }
  function expired(db: Db): Response | undefined {
    if (!mayExpire) return undefined;
    mayExpire = false;
    db.session = null;
    return problem(401, "Log in first", "The session has ended.");
  }
  async function answer(word: string, sent: MockRequest, db: Db): Promise<Response | undefined> {
    const { request, url } = sent;
    if (word === "expired-401") return expired(db);
    if (word === "stale" && !isChange(request) && again(url.pathname + url.search))
      return problem(500, "Server error", "The database does not answer.");
    return simply(word, sent);
  }
  function onSessionRead(directives: readonly Directive[], { session }: Db): Response | undefined {
    read.clear();
    mayExpire = true;
    const looks = session && directives.some(({ word }) => word === "viewer");
    return looks ? json({ ...session, roles: ["viewer"] }) : undefined;
  }
  return async ({ directives, db, ...sent }) => {
    const { pathname } = sent.url;
    const words = directives.filter((directive) => concerns(directive, pathname)).map(({ word }) => word);
    if (words.includes("held")) await waitForRelease(pathname);
    for (const word of words) {
      const instead = await answer(word, sent, db);
      if (instead) return instead;
    }
    return sent.request.method === "GET" && pathname === SESSION ? onSessionRead(directives, db) : undefined;
  };
}

const STORM_MS = 50;
const AT_ONCE = 5;

export function streamScenario(directives: readonly Directive[], db: Db, send: (text: string) => void): () => void {
  const timers: ReturnType<typeof setInterval>[] = [];
  if (directives.some(({ word }) => word === "stale"))
    timers.push(setTimeout(() => send("event: reset\ndata: {}\n\n"), 1000));
  const storm = directives.find(({ word }) => word.startsWith("storm-"));
  let left = Number(storm?.word.slice("storm-".length) ?? 0);
  const sendBatch = (): void => {
    for (let one = 0; one < AT_ONCE && left > 0; one += 1, left -= 1) {
      const id = db.alarms[left % db.alarms.length]?.id ?? "";
      send(`event: alarm.changed\ndata: ${JSON.stringify({ topic: "alarm.changed", id, version: left })}\n\n`);
    }
  };
  if (left > 0) timers.push(setInterval(sendBatch, STORM_MS));
  return () => timers.forEach(clearInterval);
}
