import { useMemo, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab of the same browser shares the storage.
  globalThis.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    globalThis.removeEventListener("storage", listener);
  };
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The browser keeps the value under `name`. `read` converts whatever is stored (undefined if nothing is) to a valid
 * value and must be stable across renders.
 */
export function useStored<T>(name: string, read: (found: unknown) => T): [T, (value: T) => void] {
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(name));
  const value = useMemo(() => read(parsed(text)), [text, read]);
  function keep(next: T) {
    localStorage.setItem(name, JSON.stringify(next));
    listeners.forEach((listener) => listener());
  }
  return [value, keep];
}
