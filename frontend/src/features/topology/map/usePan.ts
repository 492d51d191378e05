import { useReactFlow, type Viewport } from "@xyflow/react";
import { useEffect, useRef, type PointerEvent, type RefObject } from "react";
import { ZOOMS } from "./useMoves";

/** A pointer that moves less has clicked. */
const STILL_PX = 3;
/**
 * Exponent of the zoom per step of the wheel, which counts pixels, lines or pages. React Flow uses the same values.
 */
const POWER = [0.002, 0.05, 1] as const;

interface Moved {
  /** React Flow may not know the present position yet. */
  viewOf: () => Viewport;
  drag: (view: Viewport) => void;
}
interface Drag {
  /** Position of the pointer and of the map when the drag began. */
  hand: { x: number; y: number };
  from: Viewport;
  at: Viewport | undefined;
}

/** The point under the pointer stays where it is. */
export function zoomed({ x, y, zoom }: Viewport, hand: { x: number; y: number }, power: number): Viewport {
  const next = Math.min(ZOOMS.maxZoom, Math.max(ZOOMS.minZoom, zoom * 2 ** power));
  const scale = next / zoom;
  return { x: hand.x - (hand.x - x) * scale, y: hand.y - (hand.y - y) * scale, zoom: next };
}

/**
 * Moves and zooms a map of thousands of boxes; React Flow follows when the map rests. Returns handlers for the
 * surrounding element.
 */
export function usePan(isOn: boolean, frame: RefObject<HTMLElement | null>, { viewOf, drag }: Moved) {
  const { setViewport } = useReactFlow();
  const held = useRef<Drag>(undefined);
  useEffect(() => {
    const element = frame.current;
    if (!isOn || !element) return;
    function wheel(event: WheelEvent) {
      if (!(event.target instanceof Element && event.target.closest(".react-flow__renderer")) || !element) return;
      event.preventDefault();
      event.stopPropagation();
      const { left, top } = element.getBoundingClientRect();
      const hand = { x: event.clientX - left, y: event.clientY - top };
      const power = -event.deltaY * (POWER[event.deltaMode] ?? 1) * (event.ctrlKey ? 10 : 1);
      drag(zoomed(viewOf(), hand, power));
    }
    element.addEventListener("wheel", wheel, { capture: true, passive: false });
    return () => {
      element.removeEventListener("wheel", wheel, { capture: true });
      held.current = undefined;
    };
  }, [isOn, frame, viewOf, drag]);
  // A second finger zooms, so only the first one moves the map.
  function take({ target, button, isPrimary, clientX, clientY }: PointerEvent) {
    const isFree = target instanceof Element && target.matches(".react-flow__pane");
    if (!isOn || !isPrimary || button !== 0 || !isFree) return;
    held.current = { hand: { x: clientX, y: clientY }, from: viewOf(), at: undefined };
  }
  function move({ currentTarget, pointerId, isPrimary, clientX, clientY }: PointerEvent) {
    if (!held.current || !isPrimary) return;
    const { hand, from, at } = held.current;
    const [right, down] = [clientX - hand.x, clientY - hand.y];
    if (!at && Math.hypot(right, down) < STILL_PX) return;
    if (!at) {
      currentTarget.setPointerCapture(pointerId);
      currentTarget.classList.add("vm-map-held");
    }
    held.current.at = { ...from, x: from.x + right, y: from.y + down };
    drag(held.current.at);
  }
  function drop({ currentTarget, isPrimary }: PointerEvent) {
    if (!isPrimary) return;
    if (held.current?.at) void setViewport(held.current.at);
    held.current = undefined;
    currentTarget.classList.remove("vm-map-held");
  }
  return { onPointerDown: take, onPointerMove: move, onPointerUp: drop, onPointerCancel: drop };
}
