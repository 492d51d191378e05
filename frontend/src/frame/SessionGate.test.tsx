import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
const PROBE = { name: "Probe now: lab-east" };

it("retries by itself while the server is not ready", async () => {
  const { setScenario } = renderApp(pb.vims(), { scenario: "error-500:/session" });
  expect(await screen.findByRole("alert")).toHaveTextContent("The database does not answer.");
  expect(screen.getByText(/It is retried every/)).toBeVisible();
  setScenario("");
  expect(await screen.findByRole("button", PROBE)).toBeVisible();
});

it("disables buttons with the missing role as reason", async () => {
  const { changesTo } = renderApp(pb.vims(), { scenario: "viewer" });
  const button = await screen.findByRole("button", PROBE);
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.click(button);
  expect(changesTo("/probe")).toEqual([]);
  expect(await screen.findByRole("tooltip")).toHaveTextContent(
    "This requires the role operator, which admin does not have. Ask an administrator.",
  );
  expect(screen.getByRole("button", { name: "Register a cloud" })).toHaveAttribute("aria-disabled", "true");
});

it("opens the login when a change meets an expired session", async () => {
  const { setScenario } = renderApp(pb.vims());
  const button = await screen.findByRole("button", PROBE);
  setScenario("expired-401:/probe");
  await user.click(button);
  expect(await screen.findByRole("dialog", { name: "Your session has ended" })).toBeVisible();
  expect(screen.getByLabelText("Username")).toHaveValue("admin");
  await waitFor(() => expect(screen.getByLabelText("Password")).toHaveFocus());
});

it("opens the login over a dialog, which stays with what is typed in it", async () => {
  let id = "";
  const { setScenario } = renderApp(() => `${pb.instance(id)}?do=modify_info`, {
    prepare: (db) => (id = db.instances[0]?.id ?? ""),
  });
  const description = await screen.findByLabelText("Description");
  setScenario("expired-401:/plans");
  await user.type(description, "mine");
  const login = await screen.findByRole("dialog", { name: "Your session has ended" }, { timeout: 5000 });
  await waitFor(() => expect(within(login).getByLabelText("Password")).toHaveFocus());
  await user.keyboard("{Escape}");
  expect(description).toHaveDisplayValue(/mine$/);
  expect(description).toBeInTheDocument();
});
