import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Db } from "../../../mock-api/db";
import { vsrPe } from "../../../mock-api/fixtures/vnfds";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();

async function unclaimedTab(prepare: (db: Db) => void = () => undefined) {
  const app = renderApp(pb.vims(), { prepare });
  await user.click(await screen.findByRole("link", { name: "lab-east" }));
  await user.click(await screen.findByRole("tab", { name: /^Orphaned resources/ }));
  return app;
}

it("adopts a stack against a package that fits, with the secrets that Heat hides", async () => {
  const { changesTo } = await unclaimedTab();
  await user.click(await screen.findByRole("button", { name: "Adopt legacy-pe-7" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByLabelText("Package")).toHaveValue(vsrPe.vnfdId);
  const name = dialog.getByLabelText("Name");
  await user.clear(name);
  await user.type(name, "edge-old-7");
  await user.type(dialog.getByLabelText("Administrator password"), "s3cret-and-long");
  await dialog.findByRole("list", { name: "Planned steps" });
  await waitFor(() => expect(dialog.getByRole("button", { name: "Adopt" })).toBeEnabled());
  await user.click(dialog.getByRole("button", { name: "Adopt" }));
  await screen.findByRole("heading", { name: "Instantiate edge-old-7", level: 1 });
  expect(changesTo("/adopt")[0]?.body).toEqual({
    vnfdId: vsrPe.vnfdId,
    vnfInstanceName: "edge-old-7",
    additionalParams: { admin_password: "s3cret-and-long" },
  });
});

it("has the stack's router managed with the policies that are chosen", async () => {
  const { changesTo } = await unclaimedTab();
  await user.click(await screen.findByRole("button", { name: "Adopt legacy-pe-7" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(await dialog.findByLabelText("Administrator password"), "s3cret-and-long");
  const snmp = dialog.getByLabelText("SNMP policy");
  expect(await within(snmp).findByRole("option", { name: "public-v2c" })).toBeInTheDocument();
  await user.selectOptions(snmp, "public-v2c");
  await user.selectOptions(dialog.getByLabelText("NETCONF policy"), "None");
  await waitFor(() => expect(dialog.getByRole("button", { name: "Adopt" })).toBeEnabled());
  expect(changesTo("/plans").at(-1)?.body).toMatchObject({
    request: { additionalParams: { snmpPolicy: "public-v2c" } },
  });
  await user.click(dialog.getByRole("button", { name: "Adopt" }));
  await screen.findByRole("heading", { name: "Instantiate legacy-pe-7", level: 1 });
  expect(changesTo("/adopt")[0]?.body).toMatchObject({
    additionalParams: { admin_password: "s3cret-and-long", snmpPolicy: "public-v2c" },
  });
});

it("adopts a forgotten stack again by our tag", async () => {
  await unclaimedTab((db) => {
    const row = db.unclaimed.find((each) => each.name === "legacy-pe-7");
    if (row) row.ours = true;
  });
  const leftovers = within(await screen.findByRole("region", { name: "Leftovers" }));
  expect(leftovers.getAllByRole("button", { name: /^Adopt / })).toHaveLength(1);
  await user.click(leftovers.getByRole("button", { name: "Adopt legacy-pe-7" }));
  expect(await screen.findByRole("dialog", { name: /legacy-pe-7/ })).toBeVisible();
});

it("says why a stack cannot be adopted", async () => {
  await unclaimedTab();
  const button = await screen.findByRole("button", { name: "Adopt monitoring" });
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.hover(button);
  expect(await screen.findByText("No package of the catalog matches its resources.")).toBeInTheDocument();
});

it("removes a leftover of ours only when its name was typed", async () => {
  const { changesTo } = await unclaimedTab();
  const leftovers = within(await screen.findByRole("region", { name: "Leftovers" }));
  expect(leftovers.queryByText("legacy-pe-7")).toBeNull();
  await user.click(leftovers.getByRole("button", { name: "Remove edge-old-iom-9" }));
  const dialog = within(await screen.findByRole("dialog"));
  const button = dialog.getByRole("button", { name: "Remove" });
  await user.type(dialog.getByLabelText("Name of the server"), "edge-old");
  expect(button).toBeDisabled();
  await user.type(dialog.getByLabelText("Name of the server"), "-iom-9");
  await user.click(button);
  await waitFor(() => expect(screen.queryByText("edge-old-iom-9")).toBeNull());
  expect(changesTo("/remove")[0]?.body).toEqual({ confirm: "edge-old-iom-9" });
});

it("disables removal for viewers, and says why", async () => {
  await unclaimedTab((db) => {
    if (db.session) Object.assign(db.session, { roles: ["viewer"] });
  });
  const button = await screen.findByRole("button", { name: "Remove edge-old-iom-9" });
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.click(button);
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.hover(button);
  expect(await screen.findByText(/requires the role operator/)).toBeInTheDocument();
});

it("shows what prevented a removal", async () => {
  await unclaimedTab((db) => {
    const row = db.unclaimed.find((each) => each.kind === "server");
    if (row) row.name = "edge-undeletable";
  });
  await user.click(await screen.findByRole("button", { name: "Remove edge-undeletable" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText("Name of the server"), "edge-undeletable");
  await user.click(dialog.getByRole("button", { name: "Remove" }));
  const row = await screen.findByRole("row", { name: /Removal failed/ });
  expect(row).toHaveTextContent("Nova refuses to delete it.");
});

it("says so when no resource is unclaimed", async () => {
  await unclaimedTab((db) => (db.unclaimed = []));
  expect(await screen.findByText("No unclaimed resources")).toBeVisible();
});
