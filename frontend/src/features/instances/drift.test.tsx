import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import type { Db, Instance } from "../../../mock-api/db";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
afterEach(() => vi.restoreAllMocks());

/** One VNFC of the mock's first instance is stopped, and another was renamed in the cloud. */
async function driftedPage(prepare: (db: Db) => void = () => undefined) {
  let instance: Instance | undefined;
  const app = renderApp(pb.instances(), {
    prepare: (db) => {
      prepare(db);
      instance = db.instances[0];
    },
  });
  if (!instance) throw new Error("the mock has no instance");
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  await user.click(await screen.findByRole("tab", { name: /^Drift/ }));
  const drift = within(await screen.findByRole("region", { name: "Drift" }));
  return { ...app, instance, drift };
}

it("shows what is expected and what was found, and accepts one difference", async () => {
  const { changesTo, drift, instance } = await driftedPage();
  const row = drift.getByRole("row", { name: /called router-b/ });
  expect(within(row).getByText("edge-fra-1-cpm-b")).toBeVisible();
  expect(within(row).getByText("router-b")).toBeVisible();
  await user.click(within(row).getByRole("button", { name: /^Accept/ }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/It is called router-b from now on/)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Accept" }));
  await waitFor(() => expect(drift.queryByRole("row", { name: /called router-b/ })).toBeNull());
  expect(changesTo("/accept_drift")[0]?.body).toEqual({
    differences: [{ kind: "renamed", subject: "edge-fra-1-cpm-b", vnfcId: instance.vnfcs[1]?.id }],
  });
});

it("says why a difference cannot be accepted", async () => {
  const { drift } = await driftedPage((db) => {
    const vnfc = db.instances[0]?.vnfcs[2];
    if (vnfc) vnfc.status = "MISSING";
  });
  const row = drift.getByRole("row", { name: /is missing from the cloud/ });
  const button = within(row).getByRole("button", { name: /^Accept/ });
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.hover(button);
  expect(await screen.findByText(/cannot be what is wanted/)).toBeInTheDocument();
});

it("repairs all drift after the plan was shown", async () => {
  const { changesTo, drift } = await driftedPage();
  await user.click(drift.getByRole("button", { name: "Repair" }));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByRole("list", { name: "Planned steps" });
  await user.click(dialog.getByRole("button", { name: "Repair" }));
  await waitFor(() => expect(drift.queryByRole("table")).toBeNull());
  expect(screen.getByRole("tab", { name: "Drift" })).toBeVisible();
  expect(drift.queryByRole("button", { name: "Repair" })).toBeNull();
  expect(changesTo("/heal")[0]?.body).toEqual({ cause: "Drift", additionalParams: { repair: true } });
});

it("forgets an instance by its name, and exports what is needed to go on by hand", async () => {
  const saved = vi.fn(() => "blob:x");
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: saved, revokeObjectURL: () => undefined }));
  const { changesTo, router } = await driftedPage();
  await user.click(screen.getByRole("button", { name: "Actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Stop managing" }));
  const dialog = within(await screen.findByRole("dialog"));
  const button = dialog.getByRole("button", { name: "Stop managing" });
  expect(button).toBeDisabled();
  await user.type(dialog.getByLabelText("Name of the instance"), "edge-fra-1");
  await user.click(button);
  await screen.findByRole("heading", { name: "edge-fra-1 was forgotten", level: 1 });
  expect(changesTo("/forget")[0]?.body).toEqual({ confirm: "edge-fra-1" });
  expect(screen.getByRole("region", { name: "nested/cpm.yaml" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Download everything" }));
  expect(saved).toHaveBeenCalledOnce();
  expect(router.state.location.pathname).toMatch(/\/forgotten$/);
});

it("says that the result is shown only once", async () => {
  renderApp(pb.forgotten("some-id"));
  expect(await screen.findByText("No longer available")).toBeVisible();
});
