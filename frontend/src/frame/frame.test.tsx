import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { makeOcc } from "../../mock-api/occurrences";
import type { Db } from "../../mock-api/db";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
beforeEach(() => localStorage.clear());

/** Waits for the page, because keys before that have no effect. */
async function open(address = pb.vims(), prepare?: (db: Db) => void) {
  const app = renderApp(address, prepare ? { prepare } : {});
  await screen.findByRole("heading", { level: 1 });
  return app;
}
async function palette() {
  await user.keyboard("{Control>}k{/Control}");
  return screen.findByRole("combobox", { name: "Search" });
}

it("finds by Ctrl+K, arrows and Enter, and goes there", async () => {
  let instance = "";
  const { router } = await open(pb.vims(), (db) => (instance = db.instances[0]?.id ?? ""));
  await user.type(await palette(), "edge");
  const found = await screen.findByRole("group", { name: "VNF instances" });
  const first = within(found).getByRole("option", { name: /edge-fra-1/ });
  expect(first).toHaveAttribute("aria-selected", "true");
  await user.keyboard("{ArrowDown}");
  expect(within(found).getByRole("option", { name: /edge-muc-1/ })).toHaveAttribute("aria-selected", "true");
  const chosen = screen.getByRole("option", { selected: true });
  expect(screen.getByRole("combobox", { name: "Search" })).toHaveAttribute("aria-activedescendant", chosen.id);
  await user.keyboard("{ArrowUp}{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe(pb.instance(instance)));
});

it("takes what is typed while another part of the palette has the focus", async () => {
  await open();
  await user.keyboard("{Control>}k{/Control}");
  const field = await screen.findByRole("combobox", { name: "Search" });
  const dialog = await screen.findByRole("dialog");
  act(() => within(dialog).getByRole("button", { name: "Close" }).focus());
  await user.keyboard("edge");
  expect(field).toHaveValue("edge");
});

it("loses nothing of what is typed before the field is there", async () => {
  await open();
  await user.keyboard("{Control>}k{/Control}ed");
  const field = await screen.findByRole<HTMLInputElement>("combobox", { name: "Search" });
  await waitFor(() => expect(field).toHaveFocus());
  expect([field.selectionStart, field.selectionEnd]).toEqual([2, 2]); // The text must not be selected, or the next letter would replace it.
  await user.keyboard("ge");
  expect(field).toHaveValue("edge");
});

it("leads from a VM to its row on the page of its instance", async () => {
  const { router } = await open();
  await user.type(await palette(), "fra-1-iom-1");
  const found = await screen.findByRole("group", { name: "VMs" });
  await user.click(within(found).getByRole("option", { name: /edge-fra-1-iom-1/ }));
  await waitFor(() => expect(router.state.location.search).toMatch(/^\?vnfc=.+/));
  expect(await screen.findByRole("row", { name: /edge-fra-1-iom-1/, current: true })).toBeVisible();
});

it("leads from a site to the tree of the network, opened there", async () => {
  const { router } = await open();
  await user.type(await palette(), "frankf");
  const found = await screen.findByRole("group", { name: "Sites" });
  await user.click(within(found).getByRole("option", { name: "Frankfurt" }));
  expect(await screen.findByRole("treeitem", { name: /^Frankfurt/, expanded: true })).toBeVisible();
  expect(await screen.findByRole("treeitem", { name: /^fra-pe-1/ })).toBeVisible();
  expect(router.state.location.pathname).toBe(pb.elements());
});

it("runs commands, and remembers what was chosen", async () => {
  const { router } = await open();
  await user.type(await palette(), "register cl");
  await screen.findByRole("option", { name: "Register a cloud" });
  await user.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe(pb.vimRegister()));
  await palette();
  const recent = await screen.findByRole("group", { name: "Recent" });
  expect(within(recent).getByRole("option", { name: "Register a cloud" })).toBeVisible();
  expect(Object.keys(localStorage)).toContain("vnfm.recent.admin");
});

it("gives the focus back on Escape", async () => {
  await open();
  const button = screen.getByRole("button", { name: "Search and commands" });
  await user.click(button);
  await screen.findByRole("combobox", { name: "Search" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("combobox", { name: "Search" })).toBeNull());
  await waitFor(() => expect(button).toHaveFocus());
});

it("says that nothing was found, that more must be typed, and why it failed", async () => {
  await open();
  const field = await palette();
  await user.type(field, "x");
  expect(await screen.findByText("Type at least 2 characters.")).toBeVisible();
  await user.type(field, "yzzy");
  expect(await screen.findByText("No results for “xyzzy”.")).toBeVisible();
  await user.clear(field);
  await user.type(field, "fails");
  expect(await screen.findByRole("alert")).toHaveTextContent("The search could not be made.");
});

it("navigates by two letters, but not while typing", async () => {
  const { router } = await open();
  await user.keyboard("ga");
  expect(await screen.findByRole("heading", { name: "Alarms", level: 1 })).toBeVisible();
  await user.keyboard("/");
  const filter = screen.getByRole("textbox", { name: "Search alarms" });
  expect(filter).toHaveFocus();
  await user.keyboard("gc");
  expect(filter).toHaveValue("gc");
  expect(router.state.location.pathname).toBe(pb.alarms());
});

it("goes through the rows of a list by j and k, and opens one by Enter", async () => {
  const { router } = await open(pb.instances());
  await screen.findByRole("link", { name: "edge-fra-1" });
  await user.keyboard("j");
  expect(screen.getByRole("link", { name: "edge-fra-1" })).toHaveFocus();
  await user.keyboard("jjjjk");
  const rows = screen.getAllByRole("rowheader").map((name) => within(name).getByRole("link"));
  expect(rows.at(-2)).toHaveFocus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/instances\/.+/));
});

it("has a sheet of shortcuts, where they can be switched off", async () => {
  const { router } = await open();
  await user.keyboard("?");
  const sheet = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
  expect(within(sheet).getByRole("row", { name: /Go to Alarms/ })).toBeVisible();
  await user.click(within(sheet).getByRole("switch", { name: "Single-letter shortcuts" }));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.keyboard("ga");
  expect(router.state.location.pathname).toBe(pb.vims());
});

it("has the theme in the user menu", async () => {
  await open();
  const choose = async (name: string) => {
    await user.click(screen.getByRole("button", { name: /^User menu/ }));
    await user.click(await screen.findByRole("menuitem", { name }));
  };
  const { classList } = document.documentElement;
  await choose("Dark");
  expect(classList.contains("pf-v6-theme-dark")).toBe(true);
  await choose("High contrast");
  expect(classList.contains("pf-v6-theme-high-contrast")).toBe(true);
  await choose("High contrast, on");
  await choose("Light");
  expect([...classList].filter((name) => name.startsWith("pf-v6-theme"))).toEqual([]);
});

it("shows operations on any page: progress and result, with cancel", async () => {
  const { changesTo } = await open(pb.vims(), (db) => {
    const [first, second] = db.instances;
    if (!first || !second) throw new Error("The mock has two instances.");
    const running = makeOcc(db, first, "SCALE", ["Update the stack", "Wait for the stack"], {
      operationState: "PROCESSING",
    });
    Object.assign(running.steps[0] ?? {}, { state: "DONE" });
    Object.assign(running.steps[1] ?? {}, { state: "WAITING" });
    running.actions = [{ action: "cancel", enabled: true, disabledReason: "" }];
    makeOcc(db, second, "HEAL", ["Heal"], { operationState: "COMPLETED" });
  });
  await user.click(await screen.findByRole("button", { name: "1 operation in progress" }));
  const open_ = await screen.findByRole("list", { name: "Operations in progress" });
  expect(within(open_).getByRole("link", { name: "Scale edge-fra-1" })).toBeVisible();
  expect(within(open_).getByRole("progressbar")).toHaveAttribute("aria-valuetext", "1 of 2 steps");
  expect(open_).toHaveTextContent("Wait for the stack");
  expect(screen.getByRole("list", { name: "Ended operations" })).toHaveTextContent(/Heal edge-muc-1.*Completed/);
  await user.click(within(open_).getByRole("button", { name: "Cancel Scale edge-fra-1" }));
  const dialog = await screen.findByRole("dialog", { name: /Cancel Scale edge-fra-1$/ });
  await user.click(within(dialog).getByRole("button", { name: "Cancel operation" }));
  await waitFor(() => expect(changesTo("/cancel")).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("complementary", { name: "Operations" })).toBeNull());
});

it("shows on every page since when no worker has answered", async () => {
  const since = new Date(2026, 2, 1, 14, 2).toISOString();
  await open(pb.vims(), (db) =>
    db.readiness.push({ name: "worker", ok: false, since, message: "It does not answer." }),
  );
  const banner = screen.getByRole("status", { name: "State of the VNF manager" });
  await waitFor(() => expect(banner).toHaveTextContent(/^No worker has answered since .*02.*\. Operations wait\.$/));
});

it("shows no banner while all processes work", async () => {
  const { sent } = await open(pb.vims(), (db) =>
    db.readiness.push({ name: "worker", ok: true, since: new Date().toISOString(), message: "It waits for: broker." }),
  );
  await waitFor(() => expect(sent.some(({ path }) => path === "/api/v1/readiness")).toBe(true));
  expect(screen.getByRole("status", { name: "State of the VNF manager" })).toBeEmptyDOMElement();
});
