import { useEffect, useRef, type RefObject } from "react";
import { isInOpenChoice } from "./SearchSelect";

/**
 * Keyboard manners of details next to something else: their heading gets the focus when they open or show something
 * else, Escape closes them, and the focus returns to where it was, unless it has moved.
 * `fallback` finds what gets it where that is gone.
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
    // Escape in a dialog or in an open choice is theirs. Asked before they hear of it: afterwards they are gone.
    const close = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !document.querySelector("[role=dialog]") && !isInOpenChoice(event)) onClose();
    };
    document.addEventListener("keydown", close, true);
    return () => document.removeEventListener("keydown", close, true);
  }, [onClose]);
  return heading;
}
