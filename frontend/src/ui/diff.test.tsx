import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { UnifiedDiff } from "./UnifiedDiff";

const linesOf = (text: string) => {
  const { unmount } = render(<UnifiedDiff text={text} label="Diff" />);
  const lines = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  unmount();
  return lines;
};

it("leaves out the names of both sides, and nothing else that begins like them", () => {
  const changes = ["Removed: --- a banner", "Added: +++ another"];
  expect(linesOf("--- running\n+++ foreseen\n--- a banner\n+++ another")).toEqual(changes);
  expect(linesOf("+port 1\n--- a banner\n+++ another")).toEqual(["Added: +port 1", ...changes]);
});

it("adds no empty line after the last one", () => {
  expect(linesOf("+port 1\n+port 2\n")).toEqual(["Added: +port 1", "Added: +port 2"]);
});
