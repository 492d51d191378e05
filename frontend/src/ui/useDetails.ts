import { useEffect, useRef, type RefObject } from "react";
import { isInOpenChoice } from "./SearchSelect";

/**
 * Handles focus and keys of details next to a list: the heading gets the focus when they open or change, Escape
 * closes them, and the focus returns to where it was unless the user has moved it. `fallback` finds another element
 * where that one is gone.
 */
export function useDetails(
  shown: string,
  onClose: () => void,
  fallback?: () => HTMLElement | null,
): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const last = useRef(fallback);
  useEffect(() => {
    last.current = fallback;
  });
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (document.activeElement !== document.body) return;
      const is = before instanceof HTMLElement && before.isConnected && before !== document.body;
      (is ? before : last.current?.())?.focus();
    };
  }, []);
  useEffect(() => heading.current?.focus(), [shown]);
  useEffect(() => {
    // An open dialog or choice handles its own Escape. This checks before they do, because afterwards they are closed.
    const close = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !document.querySelector("[role=dialog]") && !isInOpenChoice(event)) onClose();
    };
    document.addEventListener("keydown", close, true);
    return () => document.removeEventListener("keydown", close, true);
  }, [onClose]);
  return heading;
}
