import { useEffect, useRef, type RefObject } from "react";

/**
 * Brings what the address chose into sight, once for each choice; "" is none. The heading of a new page takes the focus
 * first, and with it the sight.
 */
export function useInView<E extends Element>(chosen: string, block: ScrollLogicalPosition): RefObject<E | null> {
  const ref = useRef<E>(null);
  useEffect(() => {
    if (chosen === "") return undefined;
    // Where nothing is laid out, as in tests, there is nothing to scroll.
    const timer = setTimeout(() => (ref.current as Partial<E> | null)?.scrollIntoView?.({ block }));
    return () => clearTimeout(timer);
  }, [chosen, block]);
  return ref;
}
