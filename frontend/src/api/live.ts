import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";
import { paceOf, STALE } from "./invalidation";
import { mapKeys } from "./topology";
import type { StreamMessage } from "./eventStream";
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

/** The event is a replay, or an answer arrived before the event that announces the change. */
function alreadyNewer(client: QueryClient, key: readonly string[], change: ChangeEvent): boolean {
  if (key.length < 2) return false;
  const held = client.getQueryData<{ version?: unknown }>(key);
  return typeof held?.version === "number" && held.version > change.version;
}

/** The pages of deleted objects may still be open. */
const deleted = new WeakMap<QueryClient, Set<string>>();

/** Reading a deleted object again after an event would fail with 404. */
export function noteDeleted(client: QueryClient, id: string): void {
  const ids = deleted.get(client) ?? new Set();
  deleted.set(client, ids.add(id));
}

const isGone = (client: QueryClient, key: QueryKey): boolean => {
  const ids = deleted.get(client);
  return ids !== undefined && key.some((part) => typeof part === "string" && ids.has(part));
};

const BATCH_MS = 150;
/** Almost every event changes the map, and its answer is large. */
const MAP_MS = 1500;
const ON_MAP: ReadonlySet<string> = new Set([
  ...["vnf_instance.changed", "alarm.changed", "vim.changed", "network_element.changed", "site.changed"],
]);

const ONCE_MORE = "once more ";
const isBusy = ({ state }: Query): boolean => state.fetchStatus === "fetching";

/**
 * Invalidates exactly the queries that change events make stale. Events of a burst (two hundred new instances) are
 * gathered, so that each list is read once per batch. A query that is being read when a change arrives may have
 * missed it: it is read again after its answer, because cancelling it would keep a slow list from ever completing.
 */
export function createInvalidator(client: QueryClient): { on: (change: ChangeEvent) => void; stop: () => void } {
  const waiting = new Map<string, QueryKey>();
  const done = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let mapTimer: ReturnType<typeof setTimeout> | undefined;

  const dueIn = (name: string, key: QueryKey): number =>
    key.length > 1 ? 0 : (done.get(name) ?? -Infinity) + paceOf(key[0]) - Date.now();

  function flush(): void {
    for (const [name, queryKey] of [...waiting]) {
      if (dueIn(name, queryKey) > 0) continue;
      waiting.delete(name);
      if (isGone(client, queryKey)) continue;
      // The repeated reading of a list that is due anyway needs no turn of its own.
      if (name.startsWith(ONCE_MORE) && waiting.has(String(queryKey[0]))) continue;
      if (queryKey.length === 1) done.set(name, Date.now());
      for (const busy of client.getQueryCache().findAll({ queryKey, predicate: isBusy })) {
        waiting.set(ONCE_MORE + busy.queryHash, busy.queryKey);
      }
      void client.invalidateQueries({ queryKey, predicate: (query) => !isBusy(query) });
    }
    // One list that waits long must not delay the others.
    timer = waiting.size > 0 ? setTimeout(flush, BATCH_MS) : undefined;
  }
  function redraw(): void {
    const busy = client.isFetching({ queryKey: mapKeys.map }) > 0;
    mapTimer = busy ? setTimeout(redraw, MAP_MS) : undefined;
    if (!busy) void client.invalidateQueries({ queryKey: mapKeys.map });
  }
  return {
    on(change) {
      for (const key of STALE[change.topic](change.id)) {
        if (!alreadyNewer(client, key, change)) waiting.set(key.join(" "), key);
      }
      if (waiting.size > 0) timer ??= setTimeout(flush, BATCH_MS);
      if (ON_MAP.has(change.topic)) mapTimer ??= setTimeout(redraw, MAP_MS);
    },
    stop: () => {
      clearTimeout(timer);
      clearTimeout(mapTimer);
    },
  };
}

/** After a gap in the stream anything may have changed. A query without refetching (a plan's POST) is left alone. */
export function refetchAll(client: QueryClient): void {
  void client.invalidateQueries({ predicate: ({ queryKey, meta }) => queryKey[0] !== "session" && !meta?.["once"] });
}
