import { makeDb, type Db } from "./db";
import { addDemoData } from "./demoData";
import { notFound, problem, type Context } from "./http";
import { routes } from "./routes";
import { createSentinels, EVENTS, datasetCookie, streamScenario, directivesOf, datasetOf } from "./sentinels";
import { simulate } from "./simulation";
import { emptyDb, hugeDb, manyDb } from "./datasets";

type Listener = (text: string) => void;

/** `more` sends events to this stream only and returns a function that ends them. */
function stream(listeners: Set<Listener>, more: (send: Listener) => () => void): Response {
  let mine: Listener | undefined;
  let stop: (() => void) | undefined;
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const encoder = new TextEncoder();
      mine = (text) => controller.enqueue(encoder.encode(text));
      mine(": hello\n\n");
      listeners.add(mine);
      stop = more(mine);
      heartbeat = setInterval(() => mine?.(": heartbeat\n\n"), 15_000);
    },
    cancel() {
      clearInterval(heartbeat);
      stop?.();
      if (mine) listeners.delete(mine);
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" } });
}

async function bodyOf(request: Request): Promise<unknown> {
  if (request.headers.get("Content-Type")?.startsWith("multipart/form-data")) return request.formData();
  const text = request.method === "GET" || request.method === "HEAD" ? "" : await request.text();
  return text.startsWith("{") ? (JSON.parse(text) as unknown) : text;
}

/** A repeated POST gets the first answer. A task of an instance whose name ends in "-lost" loses its first answer. */
async function once(db: Db, request: Request, effect: () => Response | Promise<Response>): Promise<Response> {
  const key = request.method === "POST" ? request.headers.get("Idempotency-Key") : null;
  const known = key === null ? undefined : db.answers.get(key);
  if (known) return known.clone();
  const answer = await effect();
  if (key !== null && answer.ok) db.answers.set(key, answer.clone());
  const lost = db.instances.find((each) => each.name.endsWith("-lost"));
  if (key !== null && lost && request.url.includes(lost.id)) throw new TypeError("The connection was cut.");
  return answer;
}

/** If an element's name ends in "-unready", its parts can be read only once until it is renamed. */
function unready({ elements, readOnce }: Db, { method }: Request, { pathname }: URL): Response | undefined {
  const of = (id: string): boolean => pathname.startsWith(`/api/v1/elements/${id}/`);
  if (method !== "GET" || !elements.some(({ id, name }) => name.endsWith("-unready") && of(id))) return undefined;
  if (readOnce.has(pathname)) return problem(500, "Server error", "The database does not answer.");
  readOnce.add(pathname);
  return undefined;
}

interface Options {
  /** A live mock answers slowly and lets operations progress, as a real cloud does. */
  live?: boolean;
  loggedIn?: boolean;
  prepare?: (db: Db) => void;
}

/** A page may choose a dataset, which is made at the first request. All datasets share one session. */
function createDatasets(usual: Db) {
  const made = new Map([["usual", usual]]);
  const make = { usual: () => usual, empty: emptyDb, many: manyDb, huge: hugeDb };
  return (name: ReturnType<typeof datasetOf>): Db => {
    const known = made.get(name) ?? make[name]();
    made.set(name, known);
    return known;
  };
}

/** Simulates the public API in memory. */
export function createMock({ live = false, loggedIn = false, prepare }: Options = {}): (
  request: Request,
) => Promise<Response> {
  const usual = makeDb(loggedIn);
  if (live) addDemoData(usual);
  prepare?.(usual);
  const world = createDatasets(usual);
  const sentinels = createSentinels();
  const listeners = new Set<Listener>();
  let eventId = 0;
  const emit: Context["emit"] = (topic, id, version = 0) => {
    eventId += 1;
    const data = JSON.stringify({ topic, id, version });
    listeners.forEach((listener) => listener(`id: ${eventId}\nevent: ${topic}\ndata: ${data}\n\n`));
  };
  const later: Context["later"] = (seconds, work) => {
    if (live) setTimeout(work, seconds * 1000);
    else work();
  };
  if (live) simulate(usual, emit);

  function answer(context: Omit<Context, "params">): Response | Promise<Response> {
    const { db, request, url } = context;
    if (!db.session && !url.pathname.startsWith("/api/v1/session"))
      return problem(401, "Log in first", "The session has ended, or never began.");
    const refusal = unready(db, request, url);
    if (refusal) return refusal;
    for (const [method, pattern, handler] of routes) {
      const match = method === request.method ? pattern.exec(url.pathname) : null;
      if (!match) continue;
      const params = match.slice(1).map(decodeURIComponent);
      return once(db, request, () => handler({ ...context, params }));
    }
    return notFound("resource");
  }
  return async (request) => {
    const url = new URL(request.url);
    const body = await bodyOf(request);
    const directives = directivesOf({ request, url, body });
    const name = datasetOf(request, directives);
    const db = world(name);
    const instead = await sentinels({ request, url, body, directives, db: usual });
    if (instead) return instead;
    db.session = usual.session;
    if (url.pathname === EVENTS && db.session) return stream(listeners, (send) => streamScenario(directives, db, send));
    const response = await answer({ db, request, url, body, emit, later });
    usual.session = db.session;
    if (directives.some(({ word }) => word === name)) response.headers.append("Set-Cookie", datasetCookie(name));
    return response;
  };
}
