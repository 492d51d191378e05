import { expect, it } from "vitest";
import {
  fitting,
  fromScreen,
  graticuleStep,
  latitudeText,
  lines,
  onScreen,
  placeOf,
  spotOf,
  zoomed,
} from "./geography";

const SIZE = { width: 1000, height: 600 };
const FRANKFURT = { latitude: 50.11, longitude: 8.68 };

it("leads from a place to the screen and back", () => {
  const view = fitting([spotOf(FRANKFURT), spotOf({ latitude: 48.14, longitude: 11.58 })], SIZE);
  const point = onScreen(spotOf(FRANKFURT), view, SIZE);
  expect(placeOf(fromScreen(point, view, SIZE))).toEqual(FRANKFURT);
  expect(point.x).toBeGreaterThan(0);
  expect(point.x).toBeLessThan(SIZE.width);
});

it("keeps places on the globe", () => {
  expect(placeOf({ x: -50, y: 9999 })).toEqual({ latitude: -90, longitude: -180 });
});

it("zooms about a point that stays where it is", () => {
  const view = fitting([spotOf(FRANKFURT)], SIZE);
  const about = { x: 120, y: 80 };
  const before = fromScreen(about, view, SIZE);
  const after = fromScreen(about, zoomed(view, 2, about, SIZE), SIZE);
  expect(after.x).toBeCloseTo(before.x);
  expect(after.y).toBeCloseTo(before.y);
});

it("has finer lines the nearer it is", () => {
  expect(graticuleStep(0.3)).toBe(30);
  expect(graticuleStep(20)).toBeLessThan(1);
  expect(lines(-31, 61, 30)).toEqual([-30, 0, 30, 60]);
  expect(latitudeText(-33.9)).toBe("33.9° S");
});
