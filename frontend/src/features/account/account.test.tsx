import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
const dialogOf = async () => within(await screen.findByRole("dialog"));

it("is reached from the user menu, and says who is logged in", async () => {
  renderApp(pb.alarms());
  await user.click(await screen.findByRole("button", { name: "User menu of admin" }));
  await user.click(await screen.findByRole("menuitem", { name: "My account" }));
  expect(await screen.findByRole("heading", { name: "My account" })).toBeVisible();
  expect(within(screen.getByRole("region", { name: "User" })).getByText("Administrator")).toBeVisible();
});

it("changes the password with the current one, and says which sessions end", async () => {
  const { changesTo } = renderApp(pb.account());
  expect(await screen.findByText("backup script")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Change the password" }));
  const dialog = await dialogOf();
  expect(dialog.getByText(/Your other sessions have ended/)).toBeVisible();
  const [present, fresh, again] = [/^Current password/, /^New password/, /^Repeat the new password/].map((label) =>
    dialog.getByLabelText(label),
  );
  if (!present || !fresh || !again) throw new Error("Three fields are asked for.");
  expect(present).toHaveAttribute("autocomplete", "current-password");
  await user.type(present, "wrong");
  await user.type(fresh, "staple of another kind");
  await user.type(again, "staple of some kind");
  await user.click(dialog.getByRole("button", { name: "Change" }));
  await waitFor(() => expect(again).toHaveAccessibleDescription(/The two passwords differ/));
  expect(changesTo("/session/password")).toHaveLength(0);
  await user.clear(again);
  await user.type(again, "staple of another kind");
  await user.click(dialog.getByRole("button", { name: "Change" }));
  await waitFor(() => expect(present).toHaveAccessibleDescription(/not your present password/));
  await user.clear(present);
  await user.type(present, "right");
  await user.click(dialog.getByRole("button", { name: "Change" }));
  expect(await screen.findByText("Password changed")).toBeVisible();
  expect(await screen.findByText(/No tokens yet/)).toBeVisible();
  expect(changesTo("/session/password").at(-1)?.body).toEqual({
    ...{ presentPassword: "right", password: "staple of another kind" },
  });
});

it("shows the secret of a new token once, and revokes tokens", async () => {
  const { changesTo } = renderApp(pb.account());
  expect(await screen.findByRole("row", { name: /old pipeline.*expired.*never/ })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Create a token" }));
  let dialog = await dialogOf();
  const expires = dialog.getByLabelText("Expires");
  expect(expires).not.toHaveValue("");
  await user.type(dialog.getByLabelText(/^Name/), "ci");
  await user.clear(expires);
  await user.click(dialog.getByRole("button", { name: "Create" }));
  dialog = within(await screen.findByRole("dialog", { name: "Token ci" }));
  const secret = dialog.getByText(/^vnfm_/).textContent;
  expect(dialog.getByText(/shown only once/)).toBeVisible();
  expect(dialog.getByRole("button", { name: "Copy the token" })).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "I have copied it" }));
  const row = await screen.findByRole("row", { name: /^ci .*never never/ });
  expect(document.body.textContent).not.toContain(secret);
  await user.click(within(row).getByRole("button", { name: "Revoke ci" }));
  await user.click((await dialogOf()).getByRole("button", { name: "Revoke" }));
  await waitFor(() => expect(screen.queryByRole("row", { name: /^ci/ })).toBeNull());
  expect(changesTo("/api_tokens")[0]?.body).toEqual({ name: "ci", expiresAt: null });
});
