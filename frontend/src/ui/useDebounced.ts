import { useEffect, useState } from "react";

const DEBOUNCE_MS = 400;

/** Changes only when `value` was stable for a moment, so that typing does not send a request per letter. */
export function useDebounced<T>(value: T, stillMs = DEBOUNCE_MS): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === settled) return undefined;
    const timer = setTimeout(() => setSettled(value), stillMs);
    return () => clearTimeout(timer);
  }, [value, settled, stillMs]);
  return settled;
}
