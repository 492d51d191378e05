import { useEffect, useState } from "react";

const STILL_MS = 400;

/** `value` once nobody has changed it for a moment, so that typing does not ask the cloud letter by letter. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === settled) return undefined;
    const timer = setTimeout(() => setSettled(value), STILL_MS);
    return () => clearTimeout(timer);
  }, [value, settled]);
  return settled;
}
