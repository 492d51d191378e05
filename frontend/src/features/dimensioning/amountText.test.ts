import { expect, it } from "vitest";
import { amountText } from "./amountText";

it("counts in the plural and leaves symbols alone", () => {
  expect(amountText(40_000_000, "route")).toBe("40,000,000 routes");
  expect(amountText(1, "peer")).toBe("1 peer");
  expect(amountText(57.5, "Mpps")).toBe("57.5 Mpps");
});
