import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();

it("shows subscriptions with their delivery, and ends one at its own interface", async () => {
  const { sent } = renderApp(pb.administration("subscriptions"));
  expect(
    await screen.findByRole("row", { name: /nfvo\.example.*Operations and VNF instances.*Delivering/ }),
  ).toBeVisible();
  const row = screen.getByRole("row", { name: /oss\.example.*Alarms.*Not delivering.*answers 503.*12/ });
  await user.click(within(row).getByRole("button", { name: "Delete the subscription of https://oss.example/alarms" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/the 12 pending ones are dropped/)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByText("https://oss.example/alarms")).toBeNull());
  expect(sent.find(({ method }) => method === "DELETE")?.path).toMatch(/^\/vnffm\/v1\/subscriptions\//);
});

it("explains to viewers why they see none", async () => {
  const { sent } = renderApp(pb.administration("subscriptions"), {
    prepare: (db) => {
      if (db.session) db.session = { ...db.session, roles: ["viewer"] };
    },
  });
  expect(await screen.findByRole("heading", { name: "Operators only: subscriptions" })).toBeVisible();
  expect(sent.some(({ path }) => path === "/api/v1/subscriptions")).toBe(false);
});

it("explains how to subscribe when there are no subscriptions", async () => {
  renderApp(pb.administration("subscriptions"), { prepare: (db) => (db.subscriptions = []) });
  expect(await screen.findByText("No subscriptions yet")).toBeVisible();
});
