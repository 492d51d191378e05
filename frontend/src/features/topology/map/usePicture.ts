import { useReactFlow, useStoreApi, type Viewport } from "@xyflow/react";
import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { useIsDark, useIsHighContrast } from "@/ui/theme";
import { Picture } from "./picture";
import { areaInView, holds, type Area } from "./scene";
import type { Sheet } from "./sheet";

/** Boxes around the window, as part of its size on each side. */
const MARGIN = 0.1;

/** The visible area with a margin, when the map rests. */
export interface InView {
  area: Area;
  zoom: number;
}

/**
 * The picture of a map that is too large for boxes, drawn on `canvas`; without a sheet there is none. `drag` moves
 * the map before React Flow knows, `viewOf` returns that position, and `hide` removes boxes from the picture until
 * the next sheet.
 */
export function usePicture(sheet: Sheet | undefined, selected: number, canvas: RefObject<HTMLCanvasElement | null>) {
  const store = useStoreApi();
  const { setViewport, getViewport } = useReactFlow();
  const picture = useRef<Picture>(undefined);
  const [inView, setInView] = useState<InView>();
  const isOn = sheet !== undefined;
  const rested = useCallback(
    (view: Viewport) => {
      const at = getViewport();
      if (at.x !== view.x || at.y !== view.y || at.zoom !== view.zoom) void setViewport(view);
      const seen = areaInView(view, store.getState(), 0);
      const next = { area: areaInView(view, store.getState(), MARGIN), zoom: view.zoom };
      setInView((before) => (before?.zoom === view.zoom && holds(before.area, seen) ? before : next));
    },
    [getViewport, setViewport, store],
  );
  useEffect(() => {
    // Tests have no workers, so they show boxes only.
    if (!isOn || !canvas.current || typeof Worker === "undefined") return;
    const made = new Picture(canvas.current, () => store.getState(), rested);
    picture.current = made;
    made.follow(getViewport());
    const unsubscribe = store.subscribe(({ transform: [x, y, zoom], width, height }, before) => {
      made.follow({ x, y, zoom });
      if (width !== before.width || height !== before.height) made.rest();
    });
    return () => {
      unsubscribe();
      made.close();
      picture.current = undefined;
    };
  }, [isOn, canvas, getViewport, rested, store]);
  const [dark, contrast] = [useIsDark(), useIsHighContrast()];
  useEffect(() => {
    if (sheet) picture.current?.show(sheet);
  }, [sheet, dark, contrast]);
  useEffect(() => picture.current?.select(selected), [selected]);
  const drag = useCallback((view: Viewport) => picture.current?.drag(view), []);
  const hide = useCallback((numbers: readonly number[]) => picture.current?.hide(numbers), []);
  const viewOf = useCallback(() => picture.current?.view ?? getViewport(), [getViewport]);
  return { inView, drag, viewOf, hide };
}
