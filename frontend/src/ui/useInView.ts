import { useEffect, useRef, type RefObject } from "react";

const READING = ["wheel", "pointerdown", "keydown", "touchstart"];

/**
 * Scrolls once to what the address chose; "" is nothing. A new page first gives the focus, and so the scroll
 * position, to its heading, and content above that loads later moves the target. So the target stays in view until
 * the user acts.
 */
export function useInView<E extends Element>(chosen: string, block: ScrollLogicalPosition): RefObject<E | null> {
  const ref = useRef<E>(null);
  useEffect(() => {
    // Without layout, as in tests, there is nothing to scroll.
    if (chosen === "" || typeof ResizeObserver === "undefined") return undefined;
    const observer = new ResizeObserver(() => ref.current?.scrollIntoView({ block }));
    const timer = setTimeout(() => {
      for (let each: Element | null = ref.current; each; each = each.parentElement) observer.observe(each);
    });
    const stop = () => {
      clearTimeout(timer);
      observer.disconnect();
      READING.forEach((each) => window.removeEventListener(each, stop, true));
    };
    READING.forEach((each) => window.addEventListener(each, stop, true));
    return stop;
  }, [chosen, block]);
  return ref;
}
