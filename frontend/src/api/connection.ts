import { useSyncExternalStore } from "react";

/** `lostSince`: it is live again, and was lost from then on. */
export type Connection =
  { state: "connecting" } | { state: "live"; lostSince?: string } | { state: "lost"; since: string };

let current: Connection = { state: "connecting" };
let retry: () => void = () => undefined;
const listeners = new Set<() => void>();
/** Whether the last request was answered. */
let answering = true;

const notify = (): void => listeners.forEach((listener) => listener());

export function setConnection(next: Connection): void {
  // A second failed attempt does not make the loss younger.
  if (next.state === current.state) return;
  current = next.state === "live" && current.state === "lost" ? { ...next, lostSince: current.since } : next;
  if (next.state === "connecting") answering = true;
  notify();
}
export function setAnswering(next: boolean): void {
  if (next === answering) return;
  answering = next;
  notify();
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
/** Whether the server is away: no events arrive, and requests are not answered either, so that nothing can be changed. */
export const useIsOffline = (): boolean =>
  useSyncExternalStore(subscribe, () => current.state === "lost" && !answering);
