/** Server-sent events over `fetch`: unlike `EventSource` it sees heartbeats, so a silent, dead connection is noticed. */

export interface StreamMessage {
  id: string | undefined;
  event: string;
  data: string;
}

/** The line protocol of the HTML standard, clause 9.2.6, fed in arbitrary pieces. */
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
    if (colon === 0) return; // a comment: the heartbeat
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

export interface StreamHandlers {
  onMessage: (message: StreamMessage) => void;
  /** `again` is true when an earlier connection was lost: what happened in between may have been missed. */
  onOpen: (again: boolean) => void;
  onLost: (status: number | undefined) => void;
}

const SILENCE_MS = 40_000; // the server sends a heartbeat every 15 s
const BACKOFF_MS = [500, 1000, 2000, 5000, 10_000];

/** Keeps one stream open until `stop`; `retryNow` cuts a waiting pause short. */
export function openEventStream(path: string, handlers: StreamHandlers): { stop: () => void; retryNow: () => void } {
  const whole = new AbortController();
  let lastEventId: string | undefined;
  let wake: () => void = () => undefined;
  let opened = false;
  let failures = 0;
  const stopped = () => whole.signal.aborted;

  async function once(): Promise<number | undefined> {
    const one = new AbortController();
    const signal = AbortSignal.any([whole.signal, one.signal]);
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    const alive = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => one.abort(), SILENCE_MS);
    };
    try {
      alive();
      const headers: Record<string, string> = { Accept: "text/event-stream" };
      if (lastEventId !== undefined) headers["Last-Event-ID"] = lastEventId;
      const response = await globalThis.fetch(new URL(path, location.origin), { headers, signal, cache: "no-store" });
      if (!response.ok || !response.body) return response.status;
      handlers.onOpen(opened);
      opened = true;
      failures = 0;
      const feed = createParser((message) => {
        if (message.id !== undefined) lastEventId = message.id;
        handlers.onMessage(message);
      });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        alive();
        feed(part.value);
      }
      return undefined;
    } catch {
      return undefined;
    } finally {
      clearTimeout(watchdog);
      one.abort();
    }
  }

  async function run(): Promise<void> {
    while (!stopped()) {
      const status = await once();
      if (stopped()) return;
      handlers.onLost(status);
      const pause = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 0;
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
