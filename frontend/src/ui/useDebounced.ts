import { useEffect, useState } from "react";

const DEBOUNCE_MS = 400;

/** `value` once nobody has changed it for a moment, so that typing does not ask letter by letter. */
export function useDebounced<T>(value: T, stillMs = DEBOUNCE_MS): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === settled) return undefined;
    const timer = setTimeout(() => setSettled(value), stillMs);
    return () => clearTimeout(timer);
  }, [value, settled, stillMs]);
  return settled;
}
