import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { alarm, type Db } from "../../../mock-api/db";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import { remediesOf } from "./remedies";

vi.setConfig({ testTimeout: 20_000 });
const user = userEvent.setup();

function stopped(db: Db) {
  const [instance] = db.instances;
  const vnfc = instance?.vnfcs[3];
  if (!instance || !vnfc) throw new Error("The usual data have an instance with VNFCs.");
  vnfc.status = "SHUTOFF";
  const part = { faultyResourceName: `${instance.name}-iom-1`, vnfcIds: [vnfc.id], clearableByHand: false };
  db.alarms = [alarm(instance, { faultType: "VmDown", ...part })];
}

it("puts the whole object before the alarm, and leaves the probable cause to a column of its own", async () => {
  renderApp(pb.alarms(), { prepare: stopped });
  const table = within(await screen.findByRole("table", { name: "Alarms" }));
  const heads = table.getAllByRole("columnheader").map(({ textContent }) => textContent);
  expect(heads.indexOf("Object")).toBeLessThan(heads.indexOf("Alarm"));
  expect(heads).not.toContain("Probable cause");
  const cell = table.getByRole("link", { name: /-iom-1$/ }).closest("td");
  expect(cell).toHaveClass("vm-whole");
  expect(cell?.textContent).toBe("edge-fra-1-iom-1");
});

it("offers the remedy as buttons, which open the dialog of that VNFC, and says why it is not cleared by hand", async () => {
  renderApp(pb.alarms(), { prepare: stopped });
  await user.click(await screen.findByRole("link", { name: "VM down" }));
  const panel = within(await screen.findByRole("complementary", { name: "VM down" }));
  expect(panel.getByText("This alarm clears only when its condition ends.")).toBeVisible();
  expect(panel.getByRole("link", { name: "Start VM" })).toBeVisible();
  await user.click(panel.getByRole("link", { name: "Heal this VNFC" }));
  const dialog = within(await screen.findByRole("dialog", { name: /^Heal Slot . .* of edge-fra-1$/ }));
  expect(dialog.getAllByRole("checkbox").filter((box) => (box as HTMLInputElement).checked)).toHaveLength(1);
});

it.each([
  ["VmMissing", "VNF_INSTANCE", ["Heal this VNFC"]],
  ["StackDrift", "VNF_INSTANCE", ["Show the drift"]],
  ["VmTransient", "VNF_INSTANCE", []],
  ["CardDown", "NETWORK_ELEMENT", ["Open the part"]],
  ["NodeUnreachable", "NETWORK_ELEMENT", ["Resync", "Open the part"]],
  ["VimUnreachable", "VIM", ["Open the cloud"]],
  ["DiskFull", "MANAGER", []],
] as const)("knows what is done about %s of a %s", (faultType, managedObjectType, words) => {
  const about = { faultType, managedObjectType, managedObjectId: "o1", faultyResource: "o1:fan-1", vnfcIds: ["c1"] };
  expect(remediesOf(about).map(({ text }) => text)).toEqual(words);
});
