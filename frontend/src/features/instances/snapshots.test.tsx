import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
afterEach(() => vi.restoreAllMocks());

it("takes a snapshot, and reverts to it once the name is typed", async () => {
  const { changesTo } = renderApp(pb.instances());
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  await user.click(await screen.findByRole("tab", { name: "Snapshots" }));
  const panel = within(await screen.findByRole("region", { name: "Snapshots" }));
  expect(await panel.findByText("No snapshots.")).toBeVisible();
  await user.click(panel.getByRole("button", { name: "Take a snapshot" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Take a snapshot" }));
  const revert = await panel.findByRole("button", { name: /^Revert to the snapshot of/ }, { timeout: 10_000 });
  const [taken] = changesTo("/create_snapshot");
  expect(panel.getByText("Available")).toBeVisible();

  await waitFor(() => expect(revert).not.toHaveAttribute("aria-disabled", "true"), { timeout: 10_000 });
  await user.click(revert);
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText(/What was written to its disk since is lost/)).toBeVisible();
  const button = dialog.getByRole("button", { name: "Revert" });
  expect(button).toBeDisabled();
  await user.type(dialog.getByLabelText(/Name of the instance/), "edge-fra-1");
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);
  await waitFor(() => expect(changesTo("/revert_to_snapshot")[0]?.body).toEqual(taken?.body));
});
