import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Db } from "../../../mock-api/db";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();

async function watching(prepare: (db: Db) => void = () => undefined) {
  const app = renderApp(pb.vims(), { prepare });
  await user.click(await screen.findByRole("link", { name: "lab-east" }));
  await user.click(await screen.findByRole("tab", { name: "Monitoring" }));
  return app;
}

it("shows how the cloud is polled, and its hosts", async () => {
  await watching();
  expect(await screen.findByText(/every 5 s: Nothing has changed/)).toBeVisible();
  const row = await screen.findByRole("row", { name: /compute-1/ });
  expect(within(row).getAllByText("Up")).toHaveLength(2);
});

it("listens to the message bus without ever showing its URL", async () => {
  const { changesTo } = await watching();
  await user.click(await screen.findByRole("button", { name: "Listen to its message bus" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText(/^Transport URL/), "rabbit://vnfm:hush@mq:5672/");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("set, encrypted")).toBeVisible();
  expect(changesTo("/notifications")[0]?.headers.get("If-Match")).toBe('"1"');
  expect(document.body.textContent).not.toContain("hush");
});

it("creates a URL for telemetry alarms, and confirms before it replaces one", async () => {
  await watching();
  await user.click(await screen.findByRole("button", { name: "Create a URL" }));
  expect(await screen.findByText(/webhooks\/aodh\//)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Replace the URL" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/stops working at once/)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("revokes the URL only after a confirmation", async () => {
  const { changesTo } = await watching();
  await user.click(await screen.findByRole("button", { name: "Create a URL" }));
  await user.click(await screen.findByRole("button", { name: "Delete the URL" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/alarms received by it are discarded/)).toBeVisible();
  expect(changesTo("/webhooks")).toHaveLength(1);
  await user.click(dialog.getByRole("button", { name: "Delete the URL" }));
  expect(await screen.findByText(/telemetry cannot call the VNF manager/)).toBeVisible();
});

it("leaves the URL of telemetry to those who may see it", async () => {
  await watching(({ session }) => {
    if (session) Object.assign(session, { roles: ["viewer"] });
  });
  expect(await screen.findByText("Visible to administrators.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Create a URL" })).toBeNull();
});
