import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import { chapterOf, CHAPTERS, searchManual } from "./chapters";

const user = userEvent.setup();

it.each([
  ["/", "overview"],
  ["/instances", "instances"],
  ["/instances/new", "instantiate"],
  ["/instances/x/operations/y", "operations"],
  ["/administration", "administration"],
])("has a chapter for %s", (path, id) => {
  expect(chapterOf(path)).toBe(id);
  expect(CHAPTERS.map((chapter) => chapter.id)).toContain(id);
});

it("has a chapter for every page, with a title and a text", () => {
  const pages = [pb.catalog(), pb.elements(), pb.alarms(), pb.topology(), pb.performance(), pb.vims(), pb.automation()];
  for (const page of pages) expect(chapterOf(page)).not.toBe("overview");
  for (const { title, text } of CHAPTERS) expect([title.length > 0, text.length > 100]).toEqual([true, true]);
});

it("finds chapters by all of the words, titles first", () => {
  expect(searchManual("alarms")[0]?.chapter.id).toBe("alarms");
  expect(searchManual("mediation community").map(({ chapter }) => chapter.id)).toEqual(["elements"]);
  expect(searchManual("xyzzy")).toEqual([]);
});

it("opens at the chapter of the page by key and by button, and searches", async () => {
  renderApp(pb.alarms());
  await screen.findByRole("heading", { name: "Alarms", level: 1 });
  await user.keyboard("h");
  const manual = within(await screen.findByRole("dialog", { name: "Manual" }));
  expect(manual.getByRole("heading", { name: "Alarms", level: 2 })).toBeVisible();
  expect(manual.getByRole("cell", { name: "Critical" })).toBeVisible();
  await user.type(manual.getByRole("textbox", { name: "Search the manual" }), "deployment flavour");
  await user.click(manual.getByRole("button", { name: "Catalog" }));
  expect(manual.getByRole("heading", { name: "Catalog", level: 2 })).toBeVisible();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("button", { name: "Help for this page" }));
  expect(await screen.findByRole("heading", { name: "Alarms", level: 2 })).toBeVisible();
});
