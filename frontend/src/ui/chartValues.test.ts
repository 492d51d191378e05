import { expect, it } from "vitest";
import { percentile95, unitText, valueWithUnit } from "./chartValues";

it("writes traffic in bit/s, decimal, whatever it was counted in", () => {
  expect(valueWithUnit(125_000_000, "octet/s")).toBe("1 Gbit/s");
  expect(unitText("octet/s")).toBe("bit/s");
  expect([62_496_625, 1_375_125_000, 124_999_999].map((each) => valueWithUnit(each, "octet/s"))).toEqual([
    "500 Mbit/s",
    "11 Gbit/s",
    "1 Gbit/s",
  ]);
  expect(valueWithUnit(12.345, "%")).toBe("12.35 %");
});

it("finds the 95th percentile among the known values", () => {
  expect(percentile95(Array.from({ length: 100 }, (_, index) => index + 1))).toBe(95);
  expect(percentile95([null, 7, null])).toBe(7);
  expect(percentile95([null])).toBeUndefined();
});
