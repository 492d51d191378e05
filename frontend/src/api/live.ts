import type { QueryClient } from "@tanstack/react-query";
import { STALE } from "./queries";
import type { StreamMessage } from "./event-stream";
import type { ChangeEvent } from "./types";

export function parseChange(message: StreamMessage): ChangeEvent | undefined {
  try {
    const body = JSON.parse(message.data) as Partial<ChangeEvent> | null;
    if (!body || typeof body.id !== "string" || !body.topic || !(body.topic in STALE)) return undefined;
    return { topic: body.topic, id: body.id, version: body.version ?? 0 };
  } catch {
    return undefined;
  }
}

/** True when what we hold is newer than the event: a replay, or an answer that overtook its announcement. */
function alreadyNewer(client: QueryClient, key: readonly string[], change: ChangeEvent): boolean {
  if (key.length < 2) return false;
  const held = client.getQueryData<{ version?: unknown }>(key);
  return typeof held?.version === "number" && held.version > change.version;
}

const BATCH_MS = 150;

/**
 * Turns change events into refetches of exactly the queries they touch. A burst (two hundred instances deploying) is
 * gathered, so that each list is fetched once per batch, not once per event.
 */
export function createInvalidator(client: QueryClient): { on: (change: ChangeEvent) => void; stop: () => void } {
  const waiting = new Map<string, readonly string[]>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    timer = undefined;
    const batch = [...waiting.values()];
    waiting.clear();
    for (const queryKey of batch) void client.invalidateQueries({ queryKey });
  }
  return {
    on(change) {
      for (const key of STALE[change.topic](change.id)) {
        if (!alreadyNewer(client, key, change)) waiting.set(key.join(" "), key);
      }
      if (waiting.size > 0) timer ??= setTimeout(flush, BATCH_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

/** After a gap in the stream anything may have changed; what was asked once (a plan's POST) is not asked again. */
export function refetchAll(client: QueryClient): void {
  void client.invalidateQueries({ predicate: ({ queryKey, meta }) => queryKey[0] !== "session" && !meta?.["once"] });
}
