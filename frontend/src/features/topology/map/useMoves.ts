import { getViewportForBounds, useReactFlow, useStoreApi } from "@xyflow/react";
import { useEffect, useRef, type RefObject } from "react";
import { boxOf } from "./box";
import type { Scene } from "./scene";

/** Leaves room for the buttons in the corner. */
export const FIT = { padding: { top: "60px", bottom: "24px", x: "24px" }, maxZoom: 1 } as const;
const MIN_ZOOM = 0.03;
export const ZOOMS = { minZoom: MIN_ZOOM, maxZoom: 2 } as const;
/** A box that comes into view is rendered within this number of frames. */
const FRAMES = 60;

/** The box is rendered some frames after it comes into view. */
function focusSoon(id: string, frames = FRAMES): void {
  const box = boxOf(id);
  if (box) box.focus();
  else if (frames > 0) requestAnimationFrame(() => focusSoon(id, frames - 1));
}

/** Scrolls to the node and gives it the focus. */
export function useGoTo(goTo: { id: string } | undefined, scene: Scene) {
  const { setViewport } = useReactFlow();
  const store = useStoreApi();
  const done = useRef<object>(undefined);
  useEffect(() => {
    const placed = goTo && scene.get(goTo.id);
    if (!placed || done.current === goTo) return;
    const frame = requestAnimationFrame(() => {
      done.current = goTo;
      const { width, height } = store.getState();
      const view = getViewportForBounds(placed.area, width, height, MIN_ZOOM, 1.1, 1);
      void setViewport(view).then(() => focusSoon(goTo.id));
    });
    return () => cancelAnimationFrame(frame);
  }, [goTo, scene, setViewport, store]);
}

/**
 * Fits the map after all groups were opened or closed, until the user moves it. The layout arrives in several steps,
 * because boxes are measured first.
 */
export function useFit(fitTo: object | undefined, goTo: object | undefined, nodes: readonly object[]) {
  const { fitView } = useReactFlow();
  const asked = useRef({ fitTo, goTo, fits: false });
  useEffect(() => {
    if (asked.current.fitTo !== fitTo || asked.current.goTo !== goTo)
      asked.current = { fitTo, goTo, fits: asked.current.fitTo !== fitTo };
    if (asked.current.fits) requestAnimationFrame(() => void fitView({ ...FIT, duration: 0 }));
  }, [fitTo, goTo, nodes, fitView]);
  return () => void (asked.current.fits = false);
}

export const idAt = (target: EventTarget | null): string | undefined =>
  target instanceof Element
    ? (target.closest<HTMLElement>(".react-flow__node")?.dataset["id"] ?? undefined)
    : undefined;

/**
 * A group that was opened or closed by its key has the focus, but moves when the later layout arrives. It stays in
 * view until the user moves the map or the focus. (A box that is rendered again loses the focus for a moment.)
 */
export function useStableView(frame: RefObject<HTMLDivElement | null>, scene: Scene) {
  const { setCenter, flowToScreenPosition, getZoom } = useReactFlow();
  const asked = useRef<{ id: string; open: boolean }>(undefined);
  useEffect(() => {
    const { id, open } = asked.current ?? {};
    const placed = scene.get(id ?? "");
    if (placed?.node.group?.open !== open || id === undefined || !placed) return;
    if (document.activeElement !== document.body && idAt(document.activeElement) !== id) {
      asked.current = undefined;
      return;
    }
    const { area } = placed;
    const seen = frame.current?.getBoundingClientRect();
    if (!seen) return;
    const { x, y } = flowToScreenPosition(area);
    if (x >= seen.left && x < seen.right && y >= seen.top && y < Math.min(seen.bottom, innerHeight)) return;
    void setCenter(area.x + area.width / 2, area.y + area.height / 2, { zoom: getZoom(), duration: 0 });
  }, [scene, frame, setCenter, flowToScreenPosition, getZoom]);
  return {
    keepInSight: (id: string, open: boolean) => void (asked.current = { id, open }),
    letGo: () => void (asked.current = undefined),
  };
}
