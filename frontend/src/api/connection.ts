import { useSyncExternalStore } from "react";

/** `lostSince` of a live connection is the beginning of the last loss. */
export type Connection =
  { state: "connecting" } | { state: "live"; lostSince?: string } | { state: "lost"; since: string };

let current: Connection = { state: "connecting" };
let retry: () => void = () => undefined;
const listeners = new Set<() => void>();
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
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => current);
/** The event stream may be lost while requests still work; only without both is the server offline. */
export const useIsOffline = (): boolean =>
  useSyncExternalStore(subscribe, () => current.state === "lost" && !answering);
