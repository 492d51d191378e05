import { useCallback } from "react";
import { useAddress } from "./address";

const DO = "do";

/** The action whose dialog the address asks for ("" for none), and a way to close it. Nothing is done by the address alone. */
export function useRequestedAction(): [string, () => void] {
  const [params, setAddress] = useAddress();
  const close = useCallback(() => setAddress({ [DO]: "" }, { typing: true }), [setAddress]);
  return [params.get(DO) ?? "", close];
}
