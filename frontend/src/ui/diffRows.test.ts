import { expect, it } from "vitest";
import { folded, sideBySide } from "./diffRows";

const text = (rows: ReturnType<typeof sideBySide>) =>
  rows.map(({ left, right }) => `${left?.line ?? ""}${left?.text ?? ""}|${right?.line ?? ""}${right?.text ?? ""}`);

it("shows removed and added lines side by side", () => {
  expect(text(sideBySide("a\nb\nc", "a\nB\nc\nd"))).toEqual(["1a|1a", "2b|2B", "3c|3c", "|4d"]);
  expect(text(sideBySide("a\nb\nc\nd", "a\nX\nd"))).toEqual(["1a|1a", "2b|2X", "3c|", "4d|3d"]);
});

it("folds what is far from any change", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const changed = lines.with(10, "other");
  const stretches = folded(sideBySide(lines.join("\n"), changed.join("\n")));
  expect(stretches.map((each) => [each.folded, each.rows.length])).toEqual([
    [true, 7],
    [false, 7],
    [true, 6],
  ]);
});
