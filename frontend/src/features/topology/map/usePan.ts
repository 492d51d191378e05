import { useReactFlow, type Viewport } from "@xyflow/react";
import { useEffect, useRef, type PointerEvent } from "react";

/** A hand that moves less has clicked. */
const STILL_PX = 3;

interface Drag {
  /** Where it was taken, and where the map was then. */
  hand: { x: number; y: number };
  from: Viewport;
  at: Viewport | undefined;
}

/**
 * Drags a map of thousands of boxes: a CSS transform follows each move; React Flow, in which each box checks whether it is
 * in sight, is told when the map rests. Handlers for the element around it.
 */
export function usePan(isOn: boolean, follow: (view: Viewport) => void) {
  const { getViewport, setViewport } = useReactFlow();
  const drag = useRef<Drag>(undefined);
  useEffect(() => () => void (drag.current = undefined), []);

  // A second finger zooms; the first alone moves.
  function take({ target, button, isPrimary, clientX, clientY }: PointerEvent) {
    const isFree = target instanceof Element && target.matches(".react-flow__pane");
    if (!isOn || !isPrimary || button !== 0 || !isFree) return;
    drag.current = { hand: { x: clientX, y: clientY }, from: getViewport(), at: undefined };
  }
  function move({ currentTarget, pointerId, isPrimary, clientX, clientY }: PointerEvent) {
    if (!drag.current || !isPrimary) return;
    const { hand, from, at } = drag.current;
    const [right, down] = [clientX - hand.x, clientY - hand.y];
    if (!at && Math.hypot(right, down) < STILL_PX) return;
    if (!at) {
      currentTarget.setPointerCapture(pointerId);
      currentTarget.classList.add("vm-map-held");
    }
    const { x, y, zoom } = (drag.current.at = { ...from, x: from.x + right, y: from.y + down });
    const boxes = currentTarget.querySelector<HTMLElement>(".react-flow__viewport");
    if (boxes) boxes.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
    follow(drag.current.at);
  }
  function drop({ currentTarget, isPrimary }: PointerEvent) {
    if (!isPrimary) return;
    if (drag.current?.at) void setViewport(drag.current.at);
    drag.current = undefined;
    currentTarget.classList.remove("vm-map-held");
  }
  return { onPointerDown: take, onPointerMove: move, onPointerUp: drop, onPointerCancel: drop };
}
