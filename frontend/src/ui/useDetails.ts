import { useEffect, useRef, type RefObject } from "react";

/**
 * Keyboard manners of details beside something else: their heading gets the focus when they open or show something
 * else, Escape closes them, and what had the focus before has it again. `fallback` finds what gets it where that is gone.
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
      const is = before instanceof HTMLElement && before.isConnected && before !== document.body;
      (is ? before : last.current?.())?.focus();
    };
  }, []);
  useEffect(() => heading.current?.focus(), [shown]);
  useEffect(() => {
    // Escape in a dialog that was opened from here is the dialog's.
    const close = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !document.querySelector("[role=dialog]")) onClose();
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [onClose]);
  return heading;
}
