import { useCallback } from "react";
import { useSearchParams } from "react-router";

interface Step {
  /** Typing replaces the history entry, so that Back does not remove single letters. */
  typing?: boolean;
  /** The browser stores this with the history entry. */
  state?: unknown;
}
/** "" removes a name from the address. */
export type SetAddress = (changes: Readonly<Record<string, string>>, how?: Step) => void;

/** Each change is an entry of the history unless it is `typing`. */
export function useAddress(): [URLSearchParams, SetAddress] {
  const [params, setParams] = useSearchParams();
  const ask = useCallback<SetAddress>(
    (changes, { typing = false, state } = {}) => {
      const next = new URLSearchParams(params);
      for (const [name, value] of Object.entries(changes)) {
        if (value === "") next.delete(name);
        else next.set(name, value);
      }
      if (next.toString() === params.toString()) return;
      // The address changes synchronously, so that the next change starts from this one.
      const how = { replace: typing, preventScrollReset: true, flushSync: true };
      setParams(next, state === undefined ? how : { ...how, state });
    },
    [params, setParams],
  );
  return [params, ask];
}
