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

/** True when what we hold is newer than the event: a replay, or an answer that overtook its announcement. */
function alreadyNewer(client: QueryClient, key: readonly string[], change: ChangeEvent): boolean {
  if (key.length < 2) return false;
  const held = client.getQueryData<{ version?: unknown }>(key);
  return typeof held?.version === "number" && held.version > change.version;
}

/** Ids of deleted objects whose pages may not be left yet. */
const deleted = new WeakMap<QueryClient, Set<string>>();

/** An object that this browser has deleted is not read again, though an event says that it changed: it is gone (404). */
export function noteDeleted(client: QueryClient, id: string): void {
  const ids = deleted.get(client) ?? new Set();
  deleted.set(client, ids.add(id));
}

const isGone = (client: QueryClient, key: QueryKey): boolean => {
  const ids = deleted.get(client);
  return ids !== undefined && key.some((part) => typeof part === "string" && ids.has(part));
};

const BATCH_MS = 150;
/** The map is one large answer to which everything contributes: it is asked for again at most so often. */
const MAP_MS = 1500;
const ON_MAP: ReadonlySet<string> = new Set([
  ...["vnf_instance.changed", "alarm.changed", "vim.changed", "network_element.changed", "site.changed"],
]);

const ONCE_MORE = "once more ";
const isBusy = ({ state }: Query): boolean => state.fetchStatus === "fetching";

/**
 * Turns change events into refetches of exactly the queries they touch. A burst (two hundred instances deploying) is
 * gathered, so that each list is fetched once per batch, not once per event. A query that is being read when something
 * changes may have been answered before the change: it is neither cut short, or a slow list would never come, nor
 * enough, and so read once more when it has come.
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
      // A list that is due soon takes those of it along that only wait for their answer.
      if (name.startsWith(ONCE_MORE) && waiting.has(String(queryKey[0]))) continue;
      if (queryKey.length === 1) done.set(name, Date.now());
      for (const busy of client.getQueryCache().findAll({ queryKey, predicate: isBusy })) {
        waiting.set(ONCE_MORE + busy.queryHash, busy.queryKey);
      }
      void client.invalidateQueries({ queryKey, predicate: (query) => !isBusy(query) });
    }
    // What waits longest keeps nothing else waiting.
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

/** After a gap in the stream anything may have changed; what was asked once (a plan's POST) is not asked again. */
export function refetchAll(client: QueryClient): void {
  void client.invalidateQueries({ predicate: ({ queryKey, meta }) => queryKey[0] !== "session" && !meta?.["once"] });
}
