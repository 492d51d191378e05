import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { makeEquipment, makeElement } from "../../mock-api/fixtures/elements";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const PERIOD_MS = 31_000;
let id = "";
/** The mock lets the parts of this element be read only once until it is renamed. */
function open(tab: string) {
  const element = makeElement({ name: "ber-unready" });
  ({ id } = element);
  return renderApp(`${pb.element(id)}?tab=${tab}`, {
    prepare: (db) => {
      db.elements.push(element);
      db.equipment.set(id, makeEquipment(element, 2, 2));
    },
  });
}
const rename = (name: string) =>
  fetch(`/api/v1/elements/${id}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name }),
  });
const markOf = (words: RegExp) => screen.findByText((_text, at) => at?.tagName === "LI" && words.test(at.textContent));

afterEach(() => vi.useRealTimers());

it("says that a table could not be refreshed, since when and why, and tries again", async () => {
  const user = userEvent.setup();
  open("equipment");
  expect(await screen.findByRole("treeitem", { name: /Card 1/ })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Resync" }));
  const words = /^Equipment and interfaces could not be refreshed since \d+:\d+:\d+: The database does not answer\.$/;
  expect(await markOf(words)).toBeVisible();
  expect(screen.getByRole("treeitem", { name: /Card 1/ })).toBeVisible();
  await rename("ber-pe-1");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.queryByText(/could not be refreshed/)).toBeNull());
});

it("reports a failed poll of counters, too", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  open("counters");
  expect(await screen.findByRole("table", { name: "Counters as a table" })).toBeVisible();
  await vi.advanceTimersByTimeAsync(PERIOD_MS);
  expect(await markOf(/^The counters could not be refreshed since/)).toBeVisible();
  expect(await markOf(/^The counted objects could not be refreshed since/)).toBeVisible();
  const table = screen.getByRole("table", { name: "Counters as a table" });
  expect(within(table).getAllByRole("row").length).toBeGreaterThan(1);
});
