import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { alarm } from "../../../mock-api/db";
import { pb } from "@/paths";
import { renderAlarms } from "@/testing/alarms";
import { renderApp } from "@/testing/app";
import { choose } from "@/testing/choose";

const user = userEvent.setup();
const openFilters = () => user.click(screen.getByRole("button", { name: /^Filters/ }));
afterEach(() => localStorage.clear());

it("filters by severity on the server, with counts", async () => {
  const { router } = renderApp(pb.alarms());
  await screen.findByRole("row", { name: /lab-west has not answered/ });
  await user.click(screen.getByRole("button", { name: /^Critical 1/ }));
  await waitFor(() => expect(screen.queryByRole("row", { name: /lab-west has not answered/ })).toBeNull());
  expect(screen.getByRole("row", { name: /Nova no longer knows the server/ })).toBeVisible();
  expect(router.state.location.search).toBe("?severity=CRITICAL");
  await user.click(screen.getByRole("button", { name: "Clear all filters" }));
  expect(await screen.findByRole("row", { name: /lab-west has not answered/ })).toBeVisible();
});

it("reads a long list page by page, forwards and back, of as many rows as asked", async () => {
  const { router } = renderApp(pb.alarms(), {
    prepare: (db) => {
      const [object] = db.instances;
      if (!object) return;
      db.alarms = Array.from({ length: 250 }, (_, n) =>
        alarm(object, { faultType: `Fault${n}`, alarmRaisedTime: new Date(Date.now() - n * 1000).toISOString() }),
      );
    },
  });
  expect(await screen.findByText("Fault0")).toBeVisible();
  expect(screen.getByText("50 root causes on this page")).toBeVisible();
  expect(screen.getByRole("button", { name: "Previous page" })).toBeDisabled();
  await user.click(screen.getByRole("button", { name: "Next page" }));
  expect(await screen.findByText("Fault50")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Previous page" }));
  expect(await screen.findByText("Fault0")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Next page" }));
  expect(await screen.findByText("Fault50")).toBeVisible();
  await user.selectOptions(screen.getByLabelText("Rows per page"), "20 per page");
  expect(await screen.findByText("20 root causes on this page")).toBeVisible();
  expect(screen.getByText("Fault0")).toBeVisible();
  expect(router.state.location.search).toBe("?size=20");
});

it("shows an alarm's details next to the list: its meaning and what to do", async () => {
  renderApp(pb.alarms());
  await user.click(await screen.findByRole("link", { name: "Card down" }));
  const panel = within(await screen.findByRole("complementary", { name: "Card down" }));
  await waitFor(() => expect(panel.getByRole("heading", { name: "Card down" })).toHaveFocus());
  expect(await panel.findByText("Look at the slot: put the card in, or replace it.")).toBeVisible();
  expect(panel.getByText(/Administrative state up and operational state not in service/)).toBeVisible();
  expect(panel.getByRole("link", { name: "fra-pe-1" })).toBeVisible();
  await user.click(panel.getByRole("button", { name: "Acknowledge" }));
  expect(await panel.findByText("Acknowledged by admin")).toBeVisible();
  expect(panel.getByRole("button", { name: "Clear" })).toHaveAttribute("aria-disabled", "true");
  await user.type(panel.getByLabelText("New note"), "On my way.");
  await user.click(panel.getByRole("button", { name: "Add the note" }));
  expect(await panel.findByText("On my way.")).toBeVisible();
  await user.click(panel.getByRole("button", { name: "Assign to me" }));
  await waitFor(() => expect(panel.getByLabelText("Assigned to")).toHaveValue("admin"));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("complementary", { name: "Card down" })).toBeNull());
  await waitFor(() => expect(screen.getByRole("link", { name: "Card down" })).toHaveFocus());
});

it("shows what an alarm causes, level by level, and the way back to its root cause", async () => {
  renderApp(pb.alarms(), {
    prepare: (db) => {
      const [object] = db.instances;
      if (!object) return;
      const host = alarm(object, { faultType: "HypervisorDown", correlatedCount: 1 });
      const vm = alarm(object, { faultType: "VmMissing", rootCauseAlarmId: host.id, correlatedCount: 1 });
      db.alarms = [host, vm, alarm(object, { faultType: "PortDown", rootCauseAlarmId: vm.id })];
    },
  });
  await screen.findByRole("link", { name: "Hypervisor down" });
  expect(screen.queryByRole("link", { name: "Port down" })).toBeNull();
  await openFilters();
  expect(screen.getByLabelText("Root causes only")).toBeChecked();
  await user.click(screen.getByLabelText("Root causes only"));
  expect(await screen.findByRole("link", { name: "Port down" })).toBeVisible();
  await user.click(screen.getByRole("link", { name: "Hypervisor down" }));
  const panel = within(await screen.findByRole("complementary", { name: "Hypervisor down" }));
  await user.click(await panel.findByRole("button", { name: "Consequences of VM missing" }));
  await user.click(await panel.findByRole("link", { name: "Port down" }));
  const child = within(await screen.findByRole("complementary", { name: "Port down" }));
  expect(await child.findByText("Caused by")).toBeVisible();
  expect(child.getByRole("link", { name: "VM missing" })).toBeVisible();
});

it("acknowledges several at once, and names those that cannot be cleared", async () => {
  const { changesTo } = renderApp(pb.alarms());
  await screen.findByRole("row", { name: /lab-west has not answered/ });
  await user.click(screen.getByRole("checkbox", { name: "Choose all on this page" }));
  const bar = within(screen.getByRole("group", { name: "Selected alarms" }));
  await user.click(bar.getByRole("button", { name: "Clear selected" }));
  const dialog = within(await screen.findByRole("dialog", { name: /Clear 4 alarms/ }));
  expect(dialog.getByText(/Critical: 1 of 4\. A cleared alarm is not raised again/)).toBeVisible();
  expect(changesTo("/alarms/bulk")).toHaveLength(0);
  await user.click(dialog.getByRole("button", { name: "Clear" }));
  expect(await screen.findByText("Failed for 4 alarms")).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("checkbox", { name: "Choose all on this page" }));
  await user.click(screen.getByRole("checkbox", { name: "Choose all on this page" }));
  expect(screen.queryByText("Failed for 4 alarms")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Acknowledge selected" }));
  await waitFor(() => expect(screen.queryByRole("group", { name: "Selected alarms" })).toBeNull());
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Acknowledge / })).toBeNull());
  expect(changesTo("/alarms/bulk")).toHaveLength(2);
});

it("labels each row's checkbox by what it selects", async () => {
  renderApp(pb.alarms());
  const row = await screen.findByRole("row", { name: /lab-west has not answered/ });
  await user.click(within(row).getByRole("checkbox", { name: "Choose VM down of edge-muc-1" }));
  expect(within(row).getByRole("checkbox")).toBeChecked();
  const table = within(screen.getByRole("table", { name: "Alarms" }));
  const [all, ...boxes] = table.getAllByRole("checkbox");
  expect(all).toHaveAccessibleName("Choose all on this page");
  expect(new Set(boxes.map(({ id }) => id)).size).toBe(4);
  for (const box of boxes) expect(box).toHaveAccessibleName(/^Choose .+ of \S/);
  await user.click(within(row).getByRole("checkbox"));
  expect(within(row).getByRole("checkbox")).not.toBeChecked();
});

it("exports with the filters of the list", async () => {
  renderApp(pb.alarmsOf("MAJOR"));
  const link = await screen.findByRole("link", { name: "Export as CSV" });
  expect(link).toHaveAttribute(
    "href",
    expect.stringContaining("/api/v1/alarms.csv?filter=%28in%2CperceivedSeverity%2C%27MAJOR%27%29"),
  );
});

it("groups alarms by object, with the total of each", async () => {
  const { sent } = renderApp(pb.alarms());
  await screen.findByRole("row", { name: /lab-west has not answered/ });
  await openFilters();
  await user.selectOptions(screen.getByLabelText("Grouping"), "By object");
  expect(await screen.findByRole("row", { name: /^edge-muc-1 VNF instance 1 · Critical \+1: 2 alarms/ })).toBeVisible();
  const names = screen.getAllByRole("row").map(({ textContent }) => textContent);
  const at = names.findIndex((text) => text.startsWith("edge-muc-1"));
  expect(names.slice(at + 1, at + 3).every((text) => text.includes("edge-muc-1"))).toBe(true);
  expect(sent.findLast(({ path }) => path === "/api/v1/alarms")?.query.get("sort")).toBe("managedObjectName");
});

it("groups alarms under their root cause", async () => {
  const { sent } = renderApp(pb.alarms(), {
    prepare: (db) => {
      const [object] = db.instances;
      if (!object) return;
      const host = alarm(object, { faultType: "HypervisorDown", correlatedCount: 1 });
      db.alarms = [host, alarm(object, { faultType: "VmMissing", rootCauseAlarmId: host.id })];
    },
  });
  await user.click(await screen.findByRole("button", { name: "Consequences of Hypervisor down of edge-fra-1" }));
  const consequence = await screen.findByRole("row", { name: /VM missing/ });
  expect(within(consequence).getAllByRole("cell")).toHaveLength(
    within(screen.getByRole("row", { name: /Hypervisor down/ })).getAllByRole("cell").length,
  );
  expect(within(consequence).queryByRole("checkbox")).toBeNull();
  expect(sent.some(({ query }) => query.get("topLevel") === "true")).toBe(true);
  await user.type(screen.getByRole("textbox", { name: "Search alarms" }), "e");
  // The search may match a consequence.
  await waitFor(() =>
    expect(sent.findLast(({ query }) => query.get("text") === "e")?.query.get("topLevel")).toBeNull(),
  );
});

it("filters by object on the server, found by name", async () => {
  const { router } = renderApp(pb.alarms());
  await screen.findByRole("row", { name: /lab-west has not answered/ });
  await openFilters();
  await choose(user, screen.getByRole("combobox", { name: "Object" }), "fra-pe", "Network element fra-pe-1");
  await waitFor(() => expect(screen.queryByRole("row", { name: /lab-west has not answered/ })).toBeNull());
  expect(screen.getByRole("row", { name: /Card down/ })).toBeVisible();
  expect(router.state.location.search).toMatch(/^\?object=/);
  await user.click(screen.getByRole("button", { name: "Clear Object" }));
  expect(await screen.findByRole("row", { name: /lab-west has not answered/ })).toBeVisible();
});

it("drops the part filter when the object changes or goes", async () => {
  let id = "";
  const fdn = "network:192.0.2.11:shelf-1";
  const { router } = renderApp(() => pb.alarmsIn(id, fdn), {
    prepare: ({ elements: [element] }) => (id = element?.id ?? ""),
  });
  const params = () => new URLSearchParams(router.state.location.search);
  expect(await screen.findByText(`In: ${fdn}`)).toBeVisible();
  await openFilters();
  await choose(user, screen.getByRole("combobox", { name: "Object" }), "edge-muc", /edge-muc-1/);
  await waitFor(() => expect(params().get("object")).not.toBe(id));
  expect(params().has("within")).toBe(false);
  await act(() => router.navigate(-1));
  expect(await screen.findByText(`In: ${fdn}`)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Clear Object" }));
  await waitFor(() => expect(params().has("object")).toBe(false));
  expect(params().has("within")).toBe(false);
});

it("keeps a view under a name, goes back to it, and forgets it", async () => {
  const { router } = renderApp(pb.alarmsOf("MAJOR"));
  await user.click(await screen.findByRole("button", { name: "Views" }));
  await user.click(screen.getByRole("menuitem", { name: "Save this view…" }));
  await user.type(await screen.findByLabelText("Name"), "Major ones");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByRole("button", { name: "View: Major ones" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Clear all filters" }));
  await user.click(await screen.findByRole("button", { name: "Views" }));
  await user.click(screen.getByRole("menuitem", { name: "Major ones" }));
  await waitFor(() => expect(router.state.location.search).toBe("?severity=MAJOR"));
  await user.click(screen.getByRole("button", { name: "View: Major ones" }));
  await user.click(screen.getByRole("menuitem", { name: "Remove the view Major ones" }));
  expect(await screen.findByRole("button", { name: "Views" })).toBeVisible();
});

it("notifies of a new alarm by the browser only when enabled", async () => {
  const notification = vi.fn(function Notification(this: { onclick?: () => void }) {}); // `new` needs a function and not an arrow function.
  const opened = vi.spyOn(globalThis, "open").mockReturnValue(null);
  const browser = Object.assign(notification, {
    permission: "default",
    requestPermission: () => Promise.resolve((browser.permission = "granted")),
  });
  vi.stubGlobal("Notification", browser);
  vi.stubGlobal("isSecureContext", true);
  const raise = renderAlarms();
  await screen.findByRole("row", { name: /lab-west has not answered/ });
  await user.click(screen.getByRole("button", { name: "Alert me" }));
  await user.click(await screen.findByRole("checkbox", { name: /Browser notification/ }));
  await waitFor(() => expect(screen.getByRole("checkbox", { name: /Browser notification/ })).toBeChecked());
  await user.keyboard("{Escape}");
  expect(notification).not.toHaveBeenCalled();
  raise();
  await user.click(screen.getByRole("button", { name: "Acknowledge Cloud unreachable" })); // Acknowledging publishes an event of alarms.
  await waitFor(() => expect(notification).toHaveBeenCalledWith("Major: Disk full of edge-fra-1", expect.anything()));
  expect(notification).toHaveBeenCalledTimes(1);
  notification.mock.contexts[0]?.onclick?.();
  expect(opened).toHaveBeenCalledWith(expect.stringContaining("&alarm="), "_blank");
});

it("notifies only from the chosen severity on", async () => {
  const notification = vi.fn(function Notification(this: { onclick?: () => void }) {}); // `new` needs a function and not an arrow function.
  vi.stubGlobal("Notification", Object.assign(notification, { permission: "granted" }));
  vi.stubGlobal("isSecureContext", true);
  localStorage.setItem("vnfm.alerts", JSON.stringify({ notification: true }));
  const raise = renderAlarms();
  await screen.findByRole("row", { name: /lab-west has not answered/ });
  await user.click(screen.getByRole("button", { name: "Alert me" }));
  await user.click(await screen.findByRole("checkbox", { name: "Major and worse" }));
  expect(screen.getByRole("checkbox", { name: "Major and worse" })).toBeChecked();
  expect(screen.getByRole("checkbox", { name: "All" })).not.toBeChecked();
  await user.keyboard("{Escape}");
  raise({ faultType: "MINOR", perceivedSeverity: "MINOR" });
  raise({ faultType: "CRITICAL", perceivedSeverity: "CRITICAL" });
  await user.click(screen.getByRole("button", { name: "Acknowledge Cloud unreachable" })); // Acknowledging publishes an event of alarms.
  await waitFor(() => expect(notification).toHaveBeenCalledTimes(1));
  expect(notification).toHaveBeenCalledWith("Critical: CRITICAL of edge-fra-1", {
    body: expect.not.stringContaining("other") as string,
    tag: "vnfm-alarms",
  });
  localStorage.removeItem("vnfm.alerts");
});

it("explains why a list is empty", async () => {
  renderApp(pb.alarms(), { prepare: (db) => (db.alarms = []) });
  expect(await screen.findByText("No active alarms")).toBeVisible();
  await openFilters();
  await user.selectOptions(screen.getByLabelText("Alarm list"), "Cleared");
  expect(await screen.findByText("No cleared alarms")).toBeVisible();
  await user.click(await screen.findByRole("button", { name: /^Critical/ }));
  expect(await screen.findByText("Nothing matches")).toBeVisible();
});
