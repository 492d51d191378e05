import { useReactFlow, type Viewport } from "@xyflow/react";
import { useEffect, useRef, type PointerEvent } from "react";

/** While a map is held, React Flow is told so often where it is: each of its boxes asks then whether that concerns it. */
const TOLD_MS = 300;
/** A hand that moves less has clicked. */
const STILL_PX = 3;

interface Held {
  /** Where it was taken, and where the map was then. */
  hand: { x: number; y: number };
  from: Viewport;
  at: Viewport | undefined;
  told: Viewport | undefined;
  timer: ReturnType<typeof setInterval> | undefined;
}

/**
 * Moves a map of thousands by hand: its picture is shifted at each step, and drawn anew a few times a second.
 * Handlers for the element around it.
 */
export function usePan(isMany: boolean) {
  const { getViewport, setViewport } = useReactFlow();
  const held = useRef<Held>(undefined);
  function tell() {
    const { at, told } = held.current ?? {};
    if (!held.current || !at || at === told) return;
    held.current.told = at;
    void setViewport(at);
  }
  const letGo = () => {
    clearInterval(held.current?.timer);
    held.current = undefined;
  };
  useEffect(() => letGo, []);

  // A second finger zooms; the first alone moves.
  function take({ target, button, isPrimary, clientX, clientY }: PointerEvent) {
    const isFree = target instanceof Element && target.matches(".react-flow__pane");
    if (!isMany || !isPrimary || button !== 0 || !isFree) return;
    letGo();
    const hand = { x: clientX, y: clientY };
    held.current = { hand, from: getViewport(), at: undefined, told: undefined, timer: undefined };
  }
  function move({ currentTarget, pointerId, isPrimary, clientX, clientY }: PointerEvent) {
    if (!held.current || !isPrimary) return;
    const { hand, from, at, timer } = held.current;
    const [right, down] = [clientX - hand.x, clientY - hand.y];
    if (!at && Math.hypot(right, down) < STILL_PX) return;
    if (!timer) {
      currentTarget.setPointerCapture(pointerId);
      currentTarget.classList.add("vm-map-held");
      held.current.timer = setInterval(tell, TOLD_MS);
    }
    const { x, y, zoom } = (held.current.at = { ...from, x: from.x + right, y: from.y + down });
    const picture = currentTarget.querySelector<HTMLElement>(".react-flow__viewport");
    if (picture) picture.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
  }
  function drop({ currentTarget, isPrimary }: PointerEvent) {
    if (!isPrimary) return;
    tell();
    letGo();
    currentTarget.classList.remove("vm-map-held");
  }
  return { onPointerDown: take, onPointerMove: move, onPointerUp: drop, onPointerCancel: drop };
}
