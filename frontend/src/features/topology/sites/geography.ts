/** Equirectangular projection with ten units per degree. */

export interface Place {
  latitude: number;
  longitude: number;
}
export interface Spot {
  x: number;
  y: number;
}
/** The middle of the view, and pixels per unit. */
export interface Viewport extends Spot {
  zoom: number;
}
export interface Size {
  width: number;
  height: number;
}

const UNITS = 10;
const [EAST, NORTH] = [180, 90];
const LEAST_ZOOM = 0.1;
const MOST_ZOOM = 200;
const DECIMALS = 1e4;

export const spotOf = ({ latitude, longitude }: Place): Spot => ({
  x: (longitude + EAST) * UNITS,
  y: (NORTH - latitude) * UNITS,
});

const clamp = (value: number, most: number): number => Math.min(Math.max(value, -most), most);
const rounded = (value: number): number => Math.round(value * DECIMALS) / DECIMALS;

/** Positions beyond poles or date line are moved onto them, and rounded to about ten metres. */
export const placeOf = ({ x, y }: Spot): Place => ({
  latitude: rounded(clamp(NORTH - y / UNITS, NORTH)),
  longitude: rounded(clamp(x / UNITS - EAST, EAST)),
});

export const onScreen = (spot: Spot, view: Viewport, { width, height }: Size): Spot => ({
  x: (spot.x - view.x) * view.zoom + width / 2,
  y: (spot.y - view.y) * view.zoom + height / 2,
});
export const fromScreen = (point: Spot, view: Viewport, { width, height }: Size): Spot => ({
  x: (point.x - width / 2) / view.zoom + view.x,
  y: (point.y - height / 2) / view.zoom + view.y,
});

const EDGE = 90;
const NEAREST = 20;

/** Without spots, the whole world. */
export function fitting(spots: readonly Spot[], { width, height }: Size): Viewport {
  if (spots.length === 0) return { ...spotOf({ latitude: 20, longitude: 0 }), zoom: width / (2 * EAST * UNITS) };
  const [xs, ys] = [spots.map(({ x }) => x), spots.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const zoom = Math.min(
    Math.max(width - 2 * EDGE, 1) / Math.max(right - left, 1),
    Math.max(height - 2 * EDGE, 1) / Math.max(bottom - top, 1),
    NEAREST,
  );
  return { x: (left + right) / 2, y: (top + bottom) / 2, zoom };
}

/** The point `about` stays where it is on the screen. */
export function zoomed(view: Viewport, factor: number, about: Spot, size: Size): Viewport {
  const zoom = Math.min(Math.max(view.zoom * factor, LEAST_ZOOM), MOST_ZOOM);
  const fixed = fromScreen(about, view, size);
  const moved = fromScreen(about, { ...view, zoom }, size);
  return { x: view.x + fixed.x - moved.x, y: view.y + fixed.y - moved.y, zoom };
}

const STEPS = [30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01];
const LINE_GAP = 90;

/** Lines of the graticule keep a minimum distance in pixels. */
export const graticuleStep = (zoom: number): number =>
  STEPS.findLast((step) => step * UNITS * zoom >= LINE_GAP) ?? STEPS[0] ?? 0;

/** Includes the first and last degree. */
export function lines(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => (first + index) * step);
}

const degrees = (value: number): string => `${Math.abs(rounded(value))}°`;
export const latitudeText = (value: number): string => `${degrees(value)}${value === 0 ? "" : value > 0 ? " N" : " S"}`;
export const longitudeText = (value: number): string =>
  `${degrees(value)}${value === 0 ? "" : value > 0 ? " E" : " W"}`;
