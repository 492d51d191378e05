import { useSyncExternalStore } from "react";

/** `lostSince`: it is live again, and was lost from then on. */
export type Connection =
  { state: "connecting" } | { state: "live"; lostSince?: string } | { state: "lost"; since: string };

let current: Connection = { state: "connecting" };
let retry: () => void = () => undefined;
const listeners = new Set<() => void>();

export function setConnection(next: Connection): void {
  // A second failed attempt does not make the loss younger.
  if (next.state === current.state) return;
  current = next.state === "live" && current.state === "lost" ? { ...next, lostSince: current.since } : next;
  listeners.forEach((listener) => listener());
}
export function setRetry(action: () => void): void {
  retry = action;
}
export const retryConnection = (): void => retry();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
/** Whether change events arrive; when they do not, since when what is shown may be stale. */
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => current);
