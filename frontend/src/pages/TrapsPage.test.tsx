import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();

it("lists all received traps, with a link from the elements", async () => {
  renderApp(pb.elements());
  await user.click(await screen.findByRole("link", { name: "Traps" }));
  expect(await screen.findByRole("heading", { name: "Traps", level: 1 })).toBeVisible();
  const row = await screen.findByRole("row", { name: /linkDown/ });
  expect(within(row).getByRole("link", { name: "fra-pe-1" })).toBeVisible();
  expect(screen.getByRole("row", { name: /Unknown sender.*198\.51\.100\.200.*coldStart/ })).toBeVisible();
});

it("filters by element, by kind and by unknown sender", async () => {
  const { sent } = renderApp(pb.traps());
  await screen.findByRole("row", { name: /linkDown/ });
  await user.click(await screen.findByRole("button", { name: /^Filters/ }));
  await user.selectOptions(screen.getByLabelText("Sender"), "From unknown senders");
  await waitFor(() => expect(screen.queryByRole("row", { name: /linkDown/ })).toBeNull());
  expect(screen.getByRole("row", { name: /coldStart/ })).toBeVisible();
  await user.selectOptions(screen.getByLabelText("Sender"), "Not in the trap catalogue");
  expect(await screen.findByRole("row", { name: /Not in the trap catalogue.*6527/ })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("row", { name: /coldStart/ })).toBeNull());
  await user.selectOptions(screen.getByLabelText("Sender"), "Any sender");
  await user.type(screen.getByRole("combobox", { name: "Element" }), "fra");
  await user.click(await screen.findByRole("option", { name: "fra-pe-1" }));
  await waitFor(() => expect(screen.queryByRole("row", { name: /coldStart/ })).toBeNull());
  await user.type(screen.getByLabelText("Search traps by name"), "link");
  await waitFor(() =>
    expect(sent.findLast(({ path }) => path === "/api/v1/traps")?.query.get("filter")).toMatch(
      /^\(eq,elementId,'.+'\);\(cont,name,'link'\)$/,
    ),
  );
});

it("says which receiver is down, and what the list lacks", async () => {
  renderApp(pb.traps());
  const receivers = within(await screen.findByRole("table", { name: "Receivers" }));
  expect(receivers.getByRole("row", { name: /vnfm-1.*Listening.*48,210.*300 dropped in storms/ })).toBeVisible();
  expect(receivers.getByRole("row", { name: /vnfm-2.*Not listening.*another process has it/ })).toBeVisible();
});

it("says what to do where no receiver listens", async () => {
  renderApp(pb.traps(), {
    prepare: (db) => {
      db.traps = [];
      db.trapReceivers = [];
    },
  });
  expect(await screen.findByText(/No trap receiver is running/)).toBeVisible();
  expect(await screen.findByText("No traps received")).toBeVisible();
});
