import { expect, it } from "vitest";
import { chartCsv } from "./chartExport";

it("exports the lines of a chart with their unit, and unknown values as empty cells", () => {
  const lines = [
    { name: "CPU", values: [12.5, null] },
    { name: "=memory", values: [40] },
  ];
  const at = ["2026-11-27T10:00:00Z", "2026-11-27T10:01:00Z"];
  expect(chartCsv({ label: "Load", unit: "%", at, lines })).toBe(
    "from,CPU (%),'=memory (%)\r\n2026-11-27T10:00:00Z,12.5,40\r\n2026-11-27T10:01:00Z,,\r\n",
  );
});
