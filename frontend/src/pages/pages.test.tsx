import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();

it("requires a login, shows why it failed, then shows the requested page", async () => {
  renderApp(pb.alarms(), { loggedIn: false });
  await user.type(await screen.findByLabelText(/Username/), "admin");
  await user.type(screen.getByLabelText(/Password/), "wrong");
  await user.click(screen.getByRole("button", { name: "Log in" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("Wrong username or password");
  expect(screen.getByLabelText(/Password/)).toHaveFocus();
  await user.type(screen.getByLabelText(/Password/), "right");
  await user.click(screen.getByRole("button", { name: "Log in" }));
  expect(await screen.findByRole("heading", { name: "Alarms" })).toBeVisible();
});

it("says which field of the login is missing", async () => {
  const { sent } = renderApp(pb.alarms(), { loggedIn: false });
  await user.click(await screen.findByRole("button", { name: "Log in" }));
  expect(screen.getByLabelText(/Username/)).toHaveFocus();
  expect(screen.getByLabelText(/Username/)).toHaveAccessibleDescription(/required/);
  await user.type(screen.getByLabelText(/Username/), "admin{Enter}");
  expect(screen.getByLabelText(/Password/)).toHaveFocus();
  expect(sent.some(({ method, path }) => method === "POST" && path === "/api/v1/session")).toBe(false);
});

it("shows a page for unknown addresses", async () => {
  renderApp(pb.instance("nope"));
  expect(await screen.findByRole("alert")).toHaveTextContent("No such VNF instance");
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

it("explains how to begin without data", async () => {
  renderApp(pb.instances(), { prepare: (db) => (db.instances = []) });
  expect(await screen.findByText("No VNF instances yet")).toBeVisible();
  expect(screen.getByRole("link", { name: "Go to the catalog" })).toBeVisible();
});

it("shows a cloud's silence as unknown, not as the last green", async () => {
  renderApp(pb.instances());
  const row = await screen.findByRole("row", { name: /edge-muc-1/ });
  await waitFor(() => expect(row).toHaveTextContent(/Available: unknown/));
});

it("acknowledges an alarm and counts the open ones by severity", async () => {
  renderApp(pb.alarms());
  expect(await screen.findByRole("link", { name: "1 critical alarm" })).toBeVisible();
  const row = await screen.findByRole("row", { name: /lab-west has not answered/ });
  await user.click(within(row).getByRole("button", { name: "Acknowledge Cloud unreachable" }));
  await waitFor(() => expect(within(row).getByText("Acknowledged")).toBeVisible());
});

it("terminates only after the plan was shown and the name was typed", async () => {
  const { sent } = renderApp(pb.instances());
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  await user.click(await screen.findByRole("button", { name: "Terminate" }));
  const dialog = await screen.findByRole("dialog");
  await within(dialog).findByRole("list", { name: "Planned steps" });
  const button = within(dialog).getByRole("button", { name: "Terminate" });
  expect(button).toBeDisabled();
  await user.type(within(dialog).getByLabelText(/Name of the instance/), "edge-fra-1");
  await user.click(button);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent.some((each) => each.path.endsWith("/terminate") && each.method === "POST")).toBe(true);
});

it("shows a refused cloud's words at the field and keeps the rest", async () => {
  renderApp(pb.vimRegister());
  const fill = async (name: string, text: string) => user.type(await screen.findByRole("textbox", { name }), text);
  await fill("Name", "lab");
  await fill("Authentication URL", "https://keystone.example:5000/v3");
  await fill("Username", "vnfm");
  await fill("Project", "vnf");
  await user.type(screen.getByLabelText(/^Password/), "wrong");
  await user.click(screen.getByRole("button", { name: "Register" }));
  const password = screen.getByLabelText(/^Password/);
  await waitFor(() => expect(password).toHaveAccessibleDescription(/Keystone refuses/));
  await waitFor(() => expect(password).toHaveFocus());
  expect(screen.getByLabelText(/^Name/)).toHaveValue("lab");
});

it("never replaces what another tab has saved of a cloud without saying so, and keeps the input", async () => {
  let id = "";
  const { changesTo } = renderApp(() => pb.vimEdit(id), { prepare: ({ vims }) => (id = vims[0]?.id ?? "") });
  const description = await screen.findByRole("textbox", { name: "Description" });
  const region = screen.getByRole("textbox", { name: "Region" });
  await user.clear(description);
  await user.type(description, "mine");
  await fetch(`/api/v1/vims/${id}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ description: "theirs", region: "RegionTwo" }),
  });
  await user.click(screen.getByRole("button", { name: "Save" }));
  const changes = await screen.findByRole("list", { name: "Changes" });
  expect(changes).toHaveTextContent(/Description was .* and is now theirs; saving replaces it with your input, mine\./);
  expect(changes).toHaveTextContent(/Region was .* and is now RegionTwo\./);
  expect([description, region].map((field) => (field as HTMLInputElement).value)).toEqual(["mine", "RegionTwo"]);
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(changesTo(`/vims/${id}`).filter(({ method }) => method === "PATCH")).toHaveLength(3));
  expect(changesTo(`/vims/${id}`).at(-1)?.body).toEqual({ description: "mine" });
  await waitFor(() => expect(screen.queryByRole("button", { name: "Save" })).toBeNull());
});

it("saves a cloud that only a probe has changed since", async () => {
  let id = "";
  const { changesTo } = renderApp(() => pb.vimEdit(id), { prepare: ({ vims }) => (id = vims[0]?.id ?? "") });
  const description = await screen.findByRole("textbox", { name: "Description" });
  await fetch(`/api/v1/vims/${id}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({}),
  });
  await user.clear(description);
  await user.type(description, "mine");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Save" })).toBeNull());
  expect(screen.queryByText("Changed since you opened this")).toBeNull();
  expect(changesTo(`/vims/${id}`).at(-1)?.body).toEqual({ description: "mine" });
});
