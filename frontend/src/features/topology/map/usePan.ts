import { useReactFlow, type Viewport } from "@xyflow/react";
import { useEffect, useRef, type PointerEvent } from "react";

/** Interval in which a dragged map updates React Flow's viewport: each update makes all boxes check their visibility. */
const VIEWPORT_PACE_MS = 300;
/** A hand that moves less has clicked. */
const STILL_PX = 3;

interface Drag {
  /** Where it was taken, and where the map was then. */
  hand: { x: number; y: number };
  from: Viewport;
  at: Viewport | undefined;
  applied: Viewport | undefined;
  timer: ReturnType<typeof setInterval> | undefined;
}

/**
 * Drags a map of thousands of boxes: a CSS transform follows each move, React Flow renders a few times a second.
 * Handlers for the element around it.
 */
export function usePan(isMany: boolean) {
  const { getViewport, setViewport } = useReactFlow();
  const drag = useRef<Drag>(undefined);
  function applyViewport() {
    const { at, applied } = drag.current ?? {};
    if (!drag.current || !at || at === applied) return;
    drag.current.applied = at;
    void setViewport(at);
  }
  const letGo = () => {
    clearInterval(drag.current?.timer);
    drag.current = undefined;
  };
  useEffect(() => letGo, []);

  // A second finger zooms; the first alone moves.
  function take({ target, button, isPrimary, clientX, clientY }: PointerEvent) {
    const isFree = target instanceof Element && target.matches(".react-flow__pane");
    if (!isMany || !isPrimary || button !== 0 || !isFree) return;
    letGo();
    const hand = { x: clientX, y: clientY };
    drag.current = { hand, from: getViewport(), at: undefined, applied: undefined, timer: undefined };
  }
  function move({ currentTarget, pointerId, isPrimary, clientX, clientY }: PointerEvent) {
    if (!drag.current || !isPrimary) return;
    const { hand, from, at, timer } = drag.current;
    const [right, down] = [clientX - hand.x, clientY - hand.y];
    if (!at && Math.hypot(right, down) < STILL_PX) return;
    if (!timer) {
      currentTarget.setPointerCapture(pointerId);
      currentTarget.classList.add("vm-map-held");
      drag.current.timer = setInterval(applyViewport, VIEWPORT_PACE_MS);
    }
    const { x, y, zoom } = (drag.current.at = { ...from, x: from.x + right, y: from.y + down });
    const picture = currentTarget.querySelector<HTMLElement>(".react-flow__viewport");
    if (picture) picture.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
  }
  function drop({ currentTarget, isPrimary }: PointerEvent) {
    if (!isPrimary) return;
    applyViewport();
    letGo();
    currentTarget.classList.remove("vm-map-held");
  }
  return { onPointerDown: take, onPointerMove: move, onPointerUp: drop, onPointerCancel: drop };
}
