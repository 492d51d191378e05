import { expect, it } from "vitest";
import { endsOf, pathOf } from "./LineChart";

it("leaves a gap where nothing is known, and makes a lone value a dot", () => {
  const path = pathOf(
    [1, 2, null, 3, null, 4, 5],
    (index) => index,
    (value) => value,
  );
  expect(path).toBe("M0.0 1.0L1.0 2.0M3.0 3.0h0.1M5.0 4.0L6.0 5.0");
});

it("shows the day of both ends, unless the span is short", () => {
  const [from, to] = endsOf("2026-03-01T12:00:00Z", "2026-03-08T12:00:00Z");
  expect(from).not.toBe(to);
  expect(from).toMatch(/1.*:00$/);
  expect(endsOf("2026-03-01T12:00:00Z", "2026-03-01T13:00:00Z")[0]).toMatch(/^\d\d:00$/);
});
