import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { RowTree, type TreeLine } from "./RowTree";

const user = userEvent.setup();
const leaf = { level: 1, parent: undefined, isOpen: undefined };
const linesOf = (letters: string): TreeLine[] =>
  Array.from(letters, (text, index) => ({ ...leaf, id: text, text, place: index + 1, siblings: letters.length }));
const drawn = vi.fn(({ text }: TreeLine) => text);
const ignored = () => undefined;
const treeOf = (lines: TreeLine[]) => (
  <RowTree label="Letters" lines={lines} draw={drawn} onToggle={ignored} onChoose={ignored} />
);
const line = (name: string) => screen.getByRole("treeitem", { name });

it("renders at most two lines when a key moves the focus", async () => {
  render(treeOf(linesOf("abcdefgh")));
  act(() => line("a").focus());
  drawn.mockClear();
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(line("c")).toHaveFocus();
  expect(drawn.mock.calls.map(([{ text }]) => text)).toEqual(["a", "b", "b", "c"]);
});

it("moves the focus from a removed row to the next, and takes it from no other element", () => {
  const { rerender } = render(treeOf(linesOf("abcd")));
  act(() => line("b").focus());
  rerender(treeOf(linesOf("0abcd")));
  expect(line("b")).toHaveFocus();
  rerender(treeOf(linesOf("0acd")));
  expect(line("c")).toHaveFocus();
  rerender(treeOf(linesOf("0a")));
  expect(line("a")).toHaveFocus();
  act(() => line("a").blur());
  rerender(treeOf(linesOf("0")));
  expect(document.body).toHaveFocus();
});
