import { useCallback } from "react";
import { useAddress } from "./address";

const DO = "do";

/**
 * The address can open the dialog of an action ("" for none), but never starts it. Actions are named as in the API,
 * with underscores; hyphens, as other addresses have them, stand for those. Also returns a function that closes it.
 */
export function useRequestedAction(): [string, () => void] {
  const [params, setAddress] = useAddress();
  const close = useCallback(() => setAddress({ [DO]: "" }, { typing: true }), [setAddress]);
  return [(params.get(DO) ?? "").replaceAll("-", "_"), close];
}
