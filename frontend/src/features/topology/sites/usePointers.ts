import { useRef, type PointerEvent, type RefObject } from "react";
import { zoomed, type Size, type Spot, type Viewport } from "./geography";

interface Pointer extends Spot {
  /** The pointer went down on the background, so it moves the drawing. */
  isFree: boolean;
}

const between = (a: Spot, b: Spot): Spot => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
const distance = (a: Spot, b: Spot): number => Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1);
const panned = (view: Viewport, from: Spot, to: Spot): Viewport => ({
  ...view,
  x: view.x - (to.x - from.x) / view.zoom,
  y: view.y - (to.y - from.y) / view.zoom,
});

interface Options {
  frame: RefObject<HTMLElement | null>;
  size: Size;
  /** `by` computes the next view from the present one. */
  change: (by: (view: Viewport) => Viewport) => void;
}

/**
 * One pointer moves the drawing, two zoom it and keep the point between them. `isPinched` says that a second finger
 * went down, so that no box moves. Returns handlers for the drawing.
 */
export function usePointers({ frame, size, change }: Options) {
  const pointers = useRef(new Map<number, Pointer>());
  const pinched = useRef(false);
  const spotOf = ({ clientX, clientY }: PointerEvent): Spot => {
    const box = frame.current?.getBoundingClientRect();
    return { x: clientX - (box?.left ?? 0), y: clientY - (box?.top ?? 0) };
  };
  function down(event: PointerEvent) {
    if (event.button !== 0) return;
    const { target, currentTarget, pointerId } = event;
    const isFree = !(target instanceof Element && target.closest("[role=button]"));
    pointers.current.set(pointerId, { ...spotOf(event), isFree });
    pinched.current = pointers.current.size > 1;
    if (pinched.current) event.stopPropagation();
    if (pinched.current || isFree) currentTarget.setPointerCapture(pointerId);
  }
  function move(event: PointerEvent) {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const now = { ...spotOf(event), isFree: before.isFree };
    pointers.current.set(event.pointerId, now);
    const [other] = [...pointers.current].flatMap(([id, each]) => (id === event.pointerId ? [] : each));
    if (other) {
      const [was, is] = [between(before, other), between(now, other)];
      const factor = distance(now, other) / distance(before, other);
      change((view) => zoomed(panned(view, was, is), factor, is, size));
    } else if (before.isFree || pinched.current) change((view) => panned(view, before, now));
  }
  function up({ pointerId }: PointerEvent) {
    pointers.current.delete(pointerId);
  }
  return {
    isPinched: () => pinched.current,
    handlers: {
      // This runs before a box gets the event, so that neither of two fingers moves one.
      onPointerDownCapture: down,
      onPointerMove: move,
      onPointerUp: up,
      onPointerCancel: up,
      // A pointer whose end no handler receives would count as a finger forever.
      onLostPointerCapture: up,
    },
  };
}
