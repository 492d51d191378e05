import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Db } from "../../../mock-api/db";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();

it("has one entry of a push, whose lines a click shows", async () => {
  let db: Db | undefined;
  renderApp(pb.administration("audit"), { prepare: (made) => (db = made) });
  await screen.findByRole("row", { name: /Edit user/ });
  const element = db?.elements[0];
  if (!db || !element) throw new Error("the mock has no element");
  const path = `/api/v1/elements/${element.id}/configuration/push`;
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ text: "port 1/1/9 shutdown" }),
  });
  const { id } = (await answer.json()) as { id: string };
  const [sample] = db.audit;
  if (!sample) throw new Error("the mock has no audit trail");
  const request = { ...sample, id: 901, action: "POST 202", object: path, detail: { id } };
  const result = { ...sample, id: 902, action: "configuration PUSH DONE", object: element.name };
  db.audit.unshift({ ...result, detail: { element: element.id, job: id, linesAdded: 1 } }, request);
  await user.click(await screen.findByRole("button", { name: /^Filters/ }));
  await user.selectOptions(screen.getByLabelText("Plans and dry runs"), "Shown"); // Changing the filter reads the list again.
  const row = within(await screen.findByRole("row", { name: /Configuration pushed: 1 line added/ }));
  expect(screen.queryByRole("row", { name: /Push configuration to/ })).toBeNull();
  expect(screen.queryByText(/port 1\/1\/9 shutdown/)).toBeNull();
  await user.click(row.getByRole("button", { name: "Show the lines" }));
  expect(await row.findByText(/port 1\/1\/9 shutdown/)).toBeVisible();
  await user.click(row.getByRole("button", { name: "Hide the lines" }));
  await waitFor(() => expect(screen.queryByText(/port 1\/1\/9 shutdown/)).toBeNull());
});
