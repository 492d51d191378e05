import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import LineChart from "./LineChart";

it.each([
  [[null, 3], "29 Nov 2026, 02:01:00"],
  [[null, null], "No values in this time"],
])("shows the time of the last value, or that there is none: %j", (values, text) => {
  const at = ["2026-11-29T02:00:00Z", "2026-11-29T02:01:00Z"];
  render(<LineChart label="Load" unit="%" at={at} lines={[{ name: "CPU", values }]} />);
  expect(screen.getByText(text, { exact: false })).toBeVisible();
});
