import { useSyncExternalStore } from "react";

/** Times are in the zone of this computer, or in UTC, as logs and clouds write them. */
const STORED = "vnfm.utc";
const listeners = new Set<() => void>();
const stored = (): boolean => typeof localStorage !== "undefined" && localStorage.getItem(STORED) === "1";
/** A variable, because each time on a page reads it each second. */
let utc = stored();

function reread(): void {
  utc = stored();
  listeners.forEach((listener) => listener());
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab of the same browser shares the storage.
  globalThis.addEventListener("storage", reread);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) globalThis.removeEventListener("storage", reread);
  };
}

export const isUtc = (): boolean => utc;
/** Components that show times render again when the zone changes. */
export const useIsUtc = (): boolean => useSyncExternalStore(subscribe, isUtc);

export function chooseUtc(on: boolean): void {
  if (on) localStorage.setItem(STORED, "1");
  else localStorage.removeItem(STORED);
  reread();
}
