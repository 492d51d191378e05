import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Instance } from "../../../mock-api/db";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();

it("never replaces what another tab has saved of an instance without saying so, and keeps the input", async () => {
  let instance: Instance | undefined;
  const { changesTo } = renderApp(() => `${pb.instance(instance?.id ?? "")}?do=modify_info`, {
    prepare: (db) => (instance = db.instances[0]),
  });
  const path = `/vnf_instances/${instance?.id ?? ""}`;
  const was = instance?.description || "nothing";
  const dialog = within(await screen.findByRole("dialog"));
  const description = await dialog.findByLabelText("Description");
  await user.clear(description);
  await user.type(description, "mine");
  await fetch(`/vnflcm/v2${path}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/merge-patch+json" },
    body: JSON.stringify({ vnfInstanceDescription: "theirs", vnfInstanceName: "edge-fra-7" }),
  });
  const changes = await dialog.findByRole("list", { name: "Changes" }, { timeout: 5000 });
  expect(changes).toHaveTextContent("Name was edge-fra-1 and is now edge-fra-7.");
  expect(changes).toHaveTextContent(
    `Description was ${was} and is now theirs; saving replaces it with your input, mine.`,
  );
  expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
  expect(description).toHaveValue("mine");
  await user.click(dialog.getByRole("button", { name: "Continue with the current values" }));
  expect(dialog.getByLabelText("Name")).toHaveValue("edge-fra-7");
  await waitFor(() => expect(dialog.getByRole("button", { name: "Save" })).toBeEnabled());
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(changesTo(path).at(-1)?.body).toEqual({ vnfInstanceDescription: "mine" });
});

it.each([
  ["change-flavour", "Change deployment flavour of edge-fra-1"],
  ["explode", "Unknown action"],
])("opens what the address asks for, or says that there is no such action: %s", async (action, title) => {
  let instance: Instance | undefined;
  renderApp(() => `${pb.instance(instance?.id ?? "")}?do=${action}`, { prepare: (db) => (instance = db.instances[0]) });
  expect(await screen.findByRole("dialog", { name: title })).toBeVisible();
});
