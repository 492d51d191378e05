import { useEffect, useRef, type RefObject } from "react";

const READING = ["wheel", "pointerdown", "keydown", "touchstart"];

/**
 * Brings what the address chose into sight, once for each choice; "" is none. The heading of a new page takes the focus
 * first, and with it the sight; what stands above may be read later and push it away. So it is kept in sight until
 * the user does something.
 */
export function useInView<E extends Element>(chosen: string, block: ScrollLogicalPosition): RefObject<E | null> {
  const ref = useRef<E>(null);
  useEffect(() => {
    // Where nothing is laid out, as in tests, there is nothing to scroll.
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
