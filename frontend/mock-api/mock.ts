import { makeDb, type Db } from "./db";
import { notFound, problem, type Context } from "./http";
import { routes } from "./routes";
import { simulate } from "./simulation";

type Listener = (text: string) => void;

function stream(listeners: Set<Listener>): Response {
  let mine: Listener | undefined;
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const encoder = new TextEncoder();
      mine = (text) => controller.enqueue(encoder.encode(text));
      mine(": hello\n\n");
      listeners.add(mine);
      heartbeat = setInterval(() => mine?.(": heartbeat\n\n"), 15_000);
    },
    cancel() {
      clearInterval(heartbeat);
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

/** A POST repeated under its Idempotency-Key gets the first answer. A task of an instance named "...-lost" loses it once. */
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

/** Parts of an element whose name ends in "-unready" are read once, and not again before it is called otherwise. */
function unready({ elements, readOnce }: Db, { method }: Request, { pathname }: URL): Response | undefined {
  const of = (id: string): boolean => pathname.startsWith(`/api/v1/elements/${id}/`);
  if (method !== "GET" || !elements.some(({ id, name }) => name.endsWith("-unready") && of(id))) return undefined;
  if (readOnce.has(pathname)) return problem(500, "Server error", "The database does not answer.");
  readOnce.add(pathname);
  return undefined;
}

interface Options {
  /** Takes its time and lets operations progress, as a real cloud does. */
  live?: boolean;
  loggedIn?: boolean;
  prepare?: (db: Db) => void;
}

/** The public API over an in-memory world: a function from request to response. */
export function createMock({ live = false, loggedIn = false, prepare }: Options = {}): (
  request: Request,
) => Promise<Response> {
  const db = makeDb(loggedIn);
  prepare?.(db);
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
  if (live) simulate(db, emit);
  return async (request) => {
    const url = new URL(request.url);
    if (url.pathname === "/api/v1/events") return db.session ? stream(listeners) : problem(401, "Log in first", "");
    const open = url.pathname.startsWith("/api/v1/session");
    if (!db.session && !open) return problem(401, "Log in first", "The session has ended, or never began.");
    const refusal = unready(db, request, url);
    if (refusal) return refusal;
    for (const [method, pattern, handler] of routes) {
      const match = method === request.method ? pattern.exec(url.pathname) : null;
      if (!match) continue;
      const params = match.slice(1).map(decodeURIComponent);
      const body = await bodyOf(request);
      return once(db, request, () => handler({ db, request, url, params, body, emit, later }));
    }
    return notFound("resource");
  };
}
