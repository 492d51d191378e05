import { useCallback } from "react";
import { useSearchParams } from "react-router";

interface Step {
  /** What is being typed makes no step of its own: Back takes none of its letters back. */
  typing?: boolean;
  /** What the browser keeps next to the address. */
  state?: unknown;
}
/** Asks for something else; "" takes a name out of the address. */
export type SetAddress = (changes: Readonly<Record<string, string>>, how?: Step) => void;

/** What the address asks, and a way to ask something else: a step that Back takes back. */
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
      // At once: what is asked next is asked of this address, however soon it comes.
      const how = { replace: typing, preventScrollReset: true, flushSync: true };
      setParams(next, state === undefined ? how : { ...how, state });
    },
    [params, setParams],
  );
  return [params, ask];
}
