import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Quota } from "./Quota";

it("tells an unknown quota from one without a limit", () => {
  const unknown = { resource: "instances", used: null, limit: null, needed: -4 };
  const unlimited = { resource: "cores", used: 44, limit: null, needed: -28 };
  render(<Quota lines={[unknown, unlimited]} />);
  expect(screen.getByText("− 4")).toBeVisible();
  expect(screen.getByText("44 − 28 used, unlimited")).toBeVisible();
});
