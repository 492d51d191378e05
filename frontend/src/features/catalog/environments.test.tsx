import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Db } from "../../../mock-api/db";
import { vsrPe } from "../../../mock-api/fixtures/vnfds";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
const tab = (prepare: (db: Db) => void = () => undefined) => renderApp(pb.environments(vsrPe.packageId), { prepare });
const file = (text: string) => new File([text], "site-a.env.yaml", { type: "text/yaml" });

async function importing(text: string) {
  await user.click(await screen.findByRole("button", { name: "Import a HOT environment" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.upload(dialog.getByLabelText(/^File/), file(text));
  return dialog;
}

it("imports a file, after it has said what does not fit, and keeps the list in order", async () => {
  const { changesTo } = tab();
  expect(await screen.findByText("No environments yet")).toBeVisible();
  const dialog = await importing("parameters:\n  fabric_mtu: 1500\n  data_path_count: 3\n  admin_password: x\n");
  const left = within(await dialog.findByRole("list", { name: "Not applied" }));
  expect(left.getAllByRole("listitem").map((each) => each.textContent)).toEqual([
    expect.stringMatching(/^data_path_count: .*no setting/),
    expect.stringMatching(/^admin_password: .*secret/),
  ]);
  expect(dialog.getByLabelText(/^Name/)).toHaveValue("site-a");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  const table = within(await screen.findByRole("table", { name: "Environments" }));
  expect(table.getByRole("row", { name: /site-a .*any .*1 setting .*this one/ })).toBeVisible();
  expect(changesTo("/environments").at(-1)?.body).toMatchObject({
    name: "site-a",
    additionalParams: { fabric_mtu: 1500 },
  });
  expect(table.getByRole("link", { name: "Download site-a" })).toHaveAttribute(
    "href",
    expect.stringMatching(/^\/api\/v1\/environments\/[0-9a-f-]{36}\/hot$/),
  );

  await user.click(table.getByRole("button", { name: "Show the settings of site-a" }));
  const settings = within(await screen.findByRole("table", { name: "Settings" }));
  expect(settings.getByRole("row", { name: "Fabric MTU fabric_mtu 1500" })).toBeVisible();
  await user.keyboard("{Escape}");

  await user.click(await table.findByRole("button", { name: "Edit site-a" }));
  const edit = within(await screen.findByRole("dialog"));
  await user.clear(edit.getByLabelText(/^Name/));
  await user.type(edit.getByLabelText(/^Name/), "site-b");
  await user.type(edit.getByLabelText(/^Description/), "Of the lab");
  await user.click(edit.getByRole("button", { name: "Save" }));
  expect(await screen.findByRole("row", { name: /site-b Of the lab/ })).toBeVisible();

  await user.click(screen.getByRole("button", { name: "Delete site-b" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("No environments yet")).toBeVisible();
});

it("says why a file is invalid", async () => {
  tab();
  const dialog = await importing("resource_registry: {}\n");
  expect(await dialog.findByRole("alert")).toHaveTextContent(/no section `parameters`/);
  expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
});

it("does not send files that are too large", async () => {
  const { changesTo } = tab();
  const dialog = await importing("#".repeat(1024 * 1024 + 1));
  expect(await dialog.findByText(/an environment has at most/)).toBeVisible();
  expect(changesTo("/derive")).toEqual([]);
});

it("says at the name that it is taken", async () => {
  tab();
  const first = await importing("parameters:\n  fabric_mtu: 1500\n");
  await user.click(await first.findByRole("button", { name: "Save" }));
  await screen.findByRole("table", { name: "Environments" });
  const second = await importing("parameters:\n  fabric_mtu: 1400\n");
  await second.findByText("1 setting fits");
  await user.click(second.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(second.getByLabelText(/^Name/)).toHaveAccessibleDescription(/already one named site-a/));
});

it("lets a viewer read, and says why not more", async () => {
  tab((db) => {
    if (db.session) Object.assign(db.session, { roles: ["viewer"] });
  });
  const button = await screen.findByRole("button", { name: "Import a HOT environment" });
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.hover(button);
  expect(await screen.findByRole("tooltip")).toHaveTextContent(/requires the role operator/);
});
