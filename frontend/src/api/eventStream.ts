/**
 * Server-sent events over `fetch`: unlike `EventSource` it sees heartbeats, so a silent, dead connection is noticed.
 */

export interface StreamMessage {
  id: string | undefined;
  event: string;
  data: string;
}

/** The line protocol of the HTML standard, clause 9.2.6; a chunk may end anywhere. */
export function createParser(onMessage: (message: StreamMessage) => void): (chunk: string) => void {
  let rest = "";
  let id: string | undefined;
  let event = "message";
  let data: string[] = [];

  function endOfMessage(): void {
    if (data.length > 0) onMessage({ id, event, data: data.join("\n") });
    event = "message";
    data = [];
  }
  function line(text: string): void {
    if (text === "") return endOfMessage();
    const colon = text.indexOf(":");
    if (colon === 0) return; // Heartbeats are comments.
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(colon + 1).replace(/^ /, "");
    if (field === "id") id = value;
    else if (field === "event") event = value;
    else if (field === "data") data.push(value);
  }
  return (chunk) => {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? "";
    lines.forEach(line);
  };
}

interface StreamHandlers {
  onMessage: (message: StreamMessage) => void;
  /** `gap` is true when something may have been missed since the last connection. */
  onOpen: (gap: boolean) => void;
  onLost: (status: number | undefined) => void;
}

const SILENCE_MS = 40_000; // The server sends a heartbeat every 15 s.
const BACKOFF_MS = [500, 1000, 2000, 5000, 10_000];
const SHORT_MS = 5000;

/** The server closes each stream after some time; that is not a loss. */
type End = { lost: false } | { lost: true; status: number | undefined };

async function readAll(body: ReadableStream<Uint8Array<ArrayBuffer>>, onChunk: (text: string) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) onChunk(part.value);
}

/** `retryNow` ends a pause between two attempts. */
export function openEventStream(path: string, handlers: StreamHandlers): { stop: () => void; retryNow: () => void } {
  const whole = new AbortController();
  const stopped = () => whole.signal.aborted;
  let lastEventId: string | undefined;
  let wake: () => void = () => undefined;
  let gap = false;
  let failures = 0;

  async function connect(signal: AbortSignal, alive: () => void): Promise<End> {
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (lastEventId !== undefined) headers["Last-Event-ID"] = lastEventId;
    const response = await globalThis.fetch(path, { headers, signal, cache: "no-store" });
    if (!response.ok || !response.body) return { lost: true, status: response.status };
    const since = Date.now();
    handlers.onOpen(gap);
    gap = false;
    failures = 0;
    const feed = createParser((message) => {
      if (message.id !== undefined) lastEventId = message.id;
      handlers.onMessage(message);
    });
    await readAll(response.body, (text) => {
      alive();
      feed(text);
    });
    return Date.now() - since < SHORT_MS ? { lost: true, status: undefined } : { lost: false };
  }

  async function once(): Promise<End> {
    const one = new AbortController();
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    const alive = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => one.abort(), SILENCE_MS);
    };
    try {
      alive();
      return await connect(AbortSignal.any([whole.signal, one.signal]), alive);
    } catch {
      return { lost: true, status: undefined };
    } finally {
      clearTimeout(watchdog);
      one.abort();
    }
  }

  async function run(): Promise<void> {
    while (!stopped()) {
      const end = await once();
      if (stopped()) return;
      // The server cannot replay missed events if there is no last event id.
      gap ||= end.lost || lastEventId === undefined;
      if (!end.lost) continue;
      handlers.onLost(end.status);
      const pause = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)];
      failures += 1;
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, pause);
      });
    }
  }
  void run();
  return { stop: () => whole.abort(), retryNow: () => wake() };
}
