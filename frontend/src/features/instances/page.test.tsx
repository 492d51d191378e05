import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import { alarm, type Db } from "../../../mock-api/db";
import { makeOcc } from "../../../mock-api/occurrences";
import { historyOf } from "./History";

vi.setConfig({ testTimeout: 20_000 });

async function open(prepare?: (db: Db) => void) {
  const app = renderApp("/instances", prepare ? { prepare } : {});
  const user = userEvent.setup();
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  const vnfcs = await screen.findByRole("table", { name: "VNFCs" });
  const choose = async (vnfc: string, deed: string) => {
    await user.click(within(vnfcs).getByRole("button", { name: `Menu of ${vnfc}` }));
    await user.click(await screen.findByRole("menuitem", { name: deed }));
  };
  return { ...app, user, vnfcs, choose };
}

it("opens the console in an isolated tab", async () => {
  const { choose, changesTo } = await open();
  await choose("edge-fra-1-cpm-a", "Console");
  const link = await screen.findByRole("link", { name: "Open in a new tab" });
  expect(link).toHaveAttribute("href", expect.stringContaining("token="));
  expect(link).toHaveAttribute("target", "_blank");
  expect(link).toHaveAttribute("rel", expect.stringContaining("noopener"));
  expect(changesTo("/console")).toHaveLength(1);
});

it("shows Nova's reason for a missing console", async () => {
  const { choose } = await open();
  await choose("edge-fra-1-iom-2", "Console");
  const drawer = await screen.findByRole("complementary", { name: "Console of edge-fra-1-iom-2" });
  expect(await within(drawer).findByText(/^Instance .* is not ready$/)).toBeVisible();
  expect(within(drawer).getByText(/start the VNFC/)).toBeVisible();
  expect(within(drawer).getByRole("button", { name: "Try again" })).toBeEnabled();
});

it("shows the log, and reads it again", async () => {
  const { choose, sent, user } = await open();
  await choose("edge-fra-1-cpm-a", "Log");
  const drawer = await screen.findByRole("complementary", { name: "Log of edge-fra-1-cpm-a" });
  expect(await within(drawer).findByText(/Linux version/)).toBeVisible();
  await user.click(within(drawer).getByRole("button", { name: "Refresh" }));
  await vi.waitFor(() => expect(sent.filter(({ path }) => path.endsWith("/console_log"))).toHaveLength(2));
});

it("follows the log while enabled", async () => {
  const { choose, user } = await open();
  await choose("edge-fra-1-cpm-a", "Log");
  const drawer = within(await screen.findByRole("complementary", { name: "Log of edge-fra-1-cpm-a" }));
  await drawer.findByText(/Linux version/);
  const follow = drawer.getByRole("switch", { name: "Follow: refresh every 5 seconds" });
  await user.click(follow);
  expect(await drawer.findByText(/watchdog: alive, 1/)).toBeVisible();
  expect(await drawer.findByText(/watchdog: alive, 2/, {}, { timeout: 9000 })).toBeVisible();
  await user.click(follow);
  expect(follow).not.toBeChecked();
});

it("keeps the end of a followed log in view unless the user has scrolled back", async () => {
  const { choose, user } = await open();
  await choose("edge-fra-1-cpm-a", "Log");
  const drawer = within(await screen.findByRole("complementary", { name: "Log of edge-fra-1-cpm-a" }));
  await drawer.findByText(/Linux version/);
  const log = drawer.getByLabelText("Log of edge-fra-1-cpm-a");
  // jsdom has no layout.
  Object.defineProperties(log, { scrollHeight: { value: 1000 }, clientHeight: { value: 100 } });
  const readAgain = () => user.click(drawer.getByRole("button", { name: "Refresh" }));
  const scroll = (top: number) => fireEvent.scroll(log, { target: { scrollTop: top } });
  await user.click(drawer.getByRole("switch", { name: /^Follow/ }));
  await drawer.findByText(/watchdog: alive, 1/);
  expect(log.scrollTop).toBe(1000);
  scroll(300);
  await readAgain();
  await drawer.findByText(/watchdog: alive, 2/);
  expect(log.scrollTop).toBe(300);
  scroll(900);
  await readAgain();
  await drawer.findByText(/watchdog: alive, 3/);
  expect(log.scrollTop).toBe(1000);
});

it("says when too many consoles were asked for, and when there are more", async () => {
  const { choose } = await open(({ asks }) =>
    asks.set(
      "consoles",
      Array.from({ length: 10 }, () => Date.now()),
    ),
  );
  await choose("edge-fra-1-cpm-a", "Console");
  const drawer = within(await screen.findByRole("complementary", { name: "Console of edge-fra-1-cpm-a" }));
  expect(await drawer.findByText(/asked for too many addresses of consoles within a minute/)).toBeVisible();
  expect(drawer.getByText(/Wait \d+ seconds, then ask again\./)).toBeVisible();
  expect(drawer.queryByRole("link")).toBeNull();
});

it("disables every action for a viewer, and says why", async () => {
  const { user, vnfcs } = await open((db) => {
    if (db.session) Object.assign(db.session, { roles: ["viewer"] });
  });
  await user.click(within(vnfcs).getByRole("button", { name: "Menu of edge-fra-1-cpm-a" }));
  const heal = await screen.findByRole("menuitem", { name: "Heal" });
  const deeds = screen.getAllByRole("menuitem");
  expect(deeds.map(({ textContent }) => textContent)).toEqual(["Console", "Log"].concat(["Heal", "Start", "Stop"]));
  for (const deed of deeds) expect(deed).toHaveAttribute("aria-disabled", "true");
  await user.click(heal);
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.hover(heal);
  expect(await screen.findByText(/requires the role operator/)).toBeInTheDocument();
});

it("heals, and stops, one alone", async () => {
  const { choose, vnfcs } = await open();
  await choose("edge-fra-1-iom-1", "Heal");
  const heal = await screen.findByRole("dialog", { name: "Heal Slot 1 (Data path VM) of edge-fra-1" });
  expect(within(heal).getByRole("checkbox", { name: "Heal Slot 1 (Data path VM)" })).toBeChecked();
  expect(within(heal).getByRole("checkbox", { name: "Heal Slot A (Control VM)" })).not.toBeChecked();
  await userEvent.keyboard("{Escape}");
  await choose("edge-fra-1-iom-1", "Stop");
  expect(await screen.findByRole("dialog", { name: /Stop Slot 1 \(Data path VM\) of edge-fra-1/ })).toBeVisible();
  expect(vnfcs).toBeInTheDocument();
});

it("counts the alarms of each VNFC, with the way to them", async () => {
  const { vnfcs } = await open((db) => {
    const [instance] = db.instances;
    const [alarm] = db.alarms;
    if (!instance || !alarm) throw new Error("the mock has both");
    Object.assign(alarm, {
      managedObjectId: instance.id,
      vnfcIds: [instance.vnfcs[0]?.id],
      perceivedSeverity: "MAJOR",
    });
  });
  const link = await within(vnfcs).findByRole("link", { name: /1 · Major: 1 alarm of edge-fra-1-cpm-a/ });
  expect(link).toHaveAttribute("href", expect.stringContaining("text=edge-fra-1-cpm-a"));
});

it("shows no zero for VNFCs while some alarms are not loaded", async () => {
  const { vnfcs } = await open((db) => {
    const [instance] = db.instances;
    if (!instance) throw new Error("the mock has one");
    const worst = Array.from({ length: 2 }, () =>
      alarm(instance, { perceivedSeverity: "CRITICAL", vnfcIds: [instance.vnfcs[0]?.id ?? ""] }),
    );
    db.alarms = [...Array.from({ length: 99 }, () => alarm(instance, { perceivedSeverity: "MINOR" })), ...worst];
  });
  const name = "2+ · Critical: at least 2 alarms of edge-fra-1-cpm-a, worst critical";
  expect(await within(vnfcs).findByRole("link", { name })).toBeVisible();
  const other = within(vnfcs).getByRole("row", { name: /edge-fra-1-cpm-b/ });
  expect(within(other).getByRole("cell", { name: "unknown" })).toBeVisible();
  expect(within(vnfcs).queryByText("None")).toBeNull();
});

it("adds notes, and deletes the user's own", async () => {
  const { user } = await open((db) => {
    const id = db.instances[0]?.id ?? "";
    db.notes.set(id, [{ id: "n1", author: "eva", text: "Do not touch", at: new Date().toISOString() }]);
  });
  await user.click(screen.getByRole("tab", { name: "Notes" }));
  expect(await screen.findByText("Do not touch")).toBeVisible();
  expect(screen.queryByRole("button", { name: /Delete the note/ })).toBeNull();
  await user.type(screen.getByLabelText("New note"), "Rack 12");
  await user.click(screen.getByRole("button", { name: "Add the note" }));
  expect(await screen.findByText("Rack 12")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Delete the note: Rack 12" }));
  await vi.waitFor(() => expect(screen.queryByText("Rack 12")).toBeNull());
});

it("lists all events by time", async () => {
  const at = (minute: number) => `2016-02-09T12:0${minute}:00Z`;
  const note = { id: "n", author: "eva", text: "x", at: at(2) };
  const notes = [note, { ...note, id: "m", at: at(5) }];
  expect(historyOf({ occs: [], alarms: [], notes, audit: [] }).map(({ key }) => key)).toEqual(["note m", "note n"]);
  const { user } = await open();
  await user.click(screen.getByRole("tab", { name: "History" }));
  const list = await screen.findByRole("table", { name: "History" });
  expect(within(list).getAllByText("Alarm cleared").length).toBeGreaterThan(0);
});

it("shows pairs, and which VNFC has lost its protection", async () => {
  const { vnfcs } = await open((db) => {
    const [one, two] = db.instances[0]?.vnfcs.filter(({ vduId }) => vduId === "iom") ?? [];
    if (!one || !two) throw new Error("two VNFCs of a VDU");
    Object.assign(one, { mateSlot: two.slot, pairRole: "working", status: "ACTIVE" });
    Object.assign(two, { mateSlot: one.slot, pairRole: "protect", status: "SHUTOFF" });
  });
  const working = within(vnfcs).getByText("Unprotected").closest("td");
  expect(working).toHaveTextContent("iom Unprotected");
  expect(within(working as HTMLElement).getByTitle("Working, with slot 2")).toBeVisible();
  expect(within(vnfcs).getByText(/Observed .* · Working, with slot 2$/)).toBeInTheDocument();
  expect(within(vnfcs).getByText("Protect, with slot 1").closest("td")).toHaveTextContent("iom Protect");
});

it("says nothing of conditions before an instance is instantiated", async () => {
  let id = "";
  renderApp(() => pb.instance(id), {
    prepare: ({ instances }) => (id = instances.find(({ instantiated }) => !instantiated)?.id ?? ""),
  });
  expect(await screen.findAllByText("Not instantiated")).not.toEqual([]);
  expect(screen.queryByText(/^(Not available|In sync)$/)).toBeNull();
});

it("copies the ids from a menu, which takes no line of the summary", async () => {
  let id = "";
  const { user } = await open((db) => (id = db.instances[0]?.id ?? ""));
  const summary = within(await screen.findByRole("region", { name: "Summary" }));
  expect(summary.queryByText(id)).toBeNull();
  await user.click(summary.getByRole("button", { name: "Copy an id" }));
  expect(await screen.findByRole("menuitem", { name: /^VNF instance id/ })).toHaveTextContent(id);
  expect(screen.getByRole("menuitem", { name: /^VNFD id/ })).toBeVisible();
});

it("says who started each operation", async () => {
  const { user } = await open((db) => {
    const instance = db.instances.find(({ name }) => name === "edge-fra-1");
    if (!instance) throw new Error("The mock has no edge-fra-1.");
    makeOcc(db, instance, "HEAL", ["Heal"], { startedBy: "kim", operationState: "COMPLETED" });
    delete instance.runningOpOccId;
  });
  await user.click(screen.getByRole("tab", { name: /^Operations/ }));
  const operations = await screen.findByRole("table", { name: "LCM operations" });
  expect(within(operations).getByRole("columnheader", { name: "By" })).toBeVisible();
  expect(within(operations).getByRole("row", { name: /Heal.* kim / })).toBeVisible();
});
