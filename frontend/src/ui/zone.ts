import { useSyncExternalStore } from "react";

/** In which zone times are shown and typed: that of this computer, or UTC, as logs and clouds write them. */
const STORED = "vnfm.utc";
const listeners = new Set<() => void>();
const stored = (): boolean => typeof localStorage !== "undefined" && localStorage.getItem(STORED) === "1";
/** Asked for at every time on a page, each second. */
let utc = stored();

function reread(): void {
  utc = stored();
  listeners.forEach((listener) => listener());
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab of the same browser keeps the same.
  globalThis.addEventListener("storage", reread);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) globalThis.removeEventListener("storage", reread);
  };
}

export const isUtc = (): boolean => utc;
/** Renders components that show times again when the zone changes. */
export const useIsUtc = (): boolean => useSyncExternalStore(subscribe, isUtc);

export function chooseUtc(on: boolean): void {
  if (on) localStorage.setItem(STORED, "1");
  else localStorage.removeItem(STORED);
  reread();
}
