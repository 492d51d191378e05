import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Db } from "../../../mock-api/db";
import { vsrPeNext } from "../../../mock-api/fixtures/vnfds";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
type Prepare = (db: Db) => void;

/** The mock's first instance has slots A, B, 1 and 2; the last one is stopped. */
async function instancePage(prepare: Prepare = () => undefined) {
  let db: Db | undefined;
  const app = renderApp(pb.instances(), {
    prepare: (made) => {
      db = made;
      prepare(made);
    },
  });
  const instance = db?.instances[0];
  if (!instance) throw new Error("the mock has no instance");
  await user.click(await screen.findByRole("link", { name: instance.name }));
  await screen.findByRole("heading", { name: instance.name, level: 1 });
  return { ...app, instance };
}

async function open(button: string) {
  await user.click(await screen.findByRole("button", { name: button }));
  return within(await screen.findByRole("dialog"));
}
async function openFromMenu(item: string) {
  await user.click(await screen.findByRole("button", { name: "Actions" }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
  return within(await screen.findByRole("dialog"));
}
type Dialog = Awaited<ReturnType<typeof open>>;

const planned = (dialog: Dialog) => dialog.findByRole("list", { name: "Planned steps" });
async function confirm(dialog: Dialog, button: string) {
  await waitFor(() => expect(dialog.getByRole("button", { name: button })).toBeEnabled());
  await user.click(dialog.getByRole("button", { name: button }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
}

it("heals unhealthy VNFCs by the chosen method, after a warning of what cannot be undone", async () => {
  const { changesTo, instance } = await instancePage();
  const version = instance.version;
  const dialog = await open("Heal");
  const table = within(dialog.getByRole("table", { name: "VNFCs to heal" }));
  expect(table.getByRole("checkbox", { name: "Heal Slot 2 (Data path VM)" })).toBeChecked();
  expect(table.getByRole("checkbox", { name: "Heal Slot A (Control VM)" })).not.toBeChecked();
  await user.selectOptions(dialog.getByLabelText("Method"), "Recreate");
  await user.type(dialog.getByLabelText("Cause"), "disk broken");
  expect(await dialog.findByText(/The old server is gone for good/)).toBeVisible();
  await confirm(dialog, "Heal");
  const [sent] = changesTo("/heal");
  expect(sent?.body).toEqual({
    cause: "disk broken",
    additionalParams: { method: "recreate", vnfcToHeal: [instance.vnfcs[3]?.id] },
  });
  expect(sent?.headers.get("If-Match")).toBe(`"${version}"`);
  expect(sent?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/);
});

it("drains routers first unless that is switched off, and says what it costs", async () => {
  const { changesTo, instance } = await instancePage((db) => {
    db.vnfds = db.vnfds.map((vnfd) =>
      vnfd.element ? { ...vnfd, element: { ...vnfd.element, perComponentOf: "iom" } } : vnfd,
    );
  });
  const dialog = await open("Heal");
  const drain = await dialog.findByRole("checkbox", { name: "Drain routers first" });
  expect(drain).toBeChecked();
  expect(dialog.getByText(/take other paths before a router goes/)).toBeVisible();
  await user.click(drain);
  expect(dialog.getByText(/is lost until its neighbours notice/)).toBeVisible();
  await confirm(dialog, "Heal");
  expect(changesTo("/heal")[0]?.body).toEqual({
    additionalParams: { method: "auto", vnfcToHeal: [instance.vnfcs[3]?.id], drain: false },
  });
});

it("drains routers that change their flavour unless that is switched off", async () => {
  const { changesTo } = await instancePage((db) => {
    db.vnfds = db.vnfds.map((vnfd) =>
      vnfd.element ? { ...vnfd, element: { ...vnfd.element, perComponentOf: "iom" } } : vnfd,
    );
  });
  const dialog = await openFromMenu("Change deployment flavour");
  await user.selectOptions(await dialog.findByLabelText("Deployment flavour"), "dense");
  await user.click(dialog.getByRole("checkbox", { name: "Drain routers first" }));
  await confirm(dialog, "Change deployment flavour");
  expect(changesTo("/change_flavour")[0]?.body).toMatchObject({ additionalParams: { drain: false } });
});

it("offers no drain for a stop that leaves no other router", async () => {
  await instancePage((db) => {
    db.vnfds = db.vnfds.map((vnfd) =>
      vnfd.element ? { ...vnfd, element: { ...vnfd.element, perComponentOf: "iom" } } : vnfd,
    );
  });
  const dialog = await openFromMenu("Stop");
  await planned(dialog);
  expect(dialog.queryByRole("checkbox", { name: "Drain routers first" })).toBeNull();
});

it("offers no drain where VNFCs are no routers", async () => {
  await instancePage();
  const dialog = await open("Heal");
  await planned(dialog);
  expect(dialog.queryByRole("checkbox", { name: "Drain routers first" })).toBeNull();
});

it("offers no heal method that the package forbids", async () => {
  await instancePage();
  const dialog = await open("Heal");
  await planned(dialog);
  expect(dialog.getByRole("option", { name: "Evacuate (not allowed by the package)" })).toBeDisabled();
  expect(dialog.getByRole("option", { name: "Rebuild" })).toBeEnabled();
});

it("scales in by the name of the VNFC that goes", async () => {
  const { changesTo, instance } = await instancePage();
  const dialog = await open("Scale in");
  await planned(dialog);
  await user.click(await dialog.findByRole("radio", { name: "Choose 1 VNFC" }));
  expect(await dialog.findByText("Choose 1 more VNFC to see the plan.")).toBeVisible();
  expect(dialog.queryByRole("checkbox", { name: "Remove Slot A (Control VM)" })).toBeNull();
  await user.click(dialog.getByRole("checkbox", { name: "Remove Slot 1 (Data path VM)" }));
  await confirm(dialog, "Scale in");
  expect(changesTo("/scale")[0]?.body).toEqual({
    type: "SCALE_IN",
    aspectId: "datapath",
    numberOfSteps: 1,
    additionalParams: { vnfcToRemove: [expect.any(String)] },
  });
  await waitFor(() => expect(instance.vnfcs.map((each) => each.slot)).toEqual(["A", "B", "2"]));
});

it("takes both of a pair when one of it is chosen", async () => {
  const { changesTo, instance } = await instancePage((db) => {
    const [pe] = db.instances;
    if (!pe) return;
    const flavours = pe.vnfd.flavours.map((flavour) => ({
      ...flavour,
      scalingAspects: flavour.scalingAspects.map((aspect) => ({
        ...aspect,
        deltas: [{ vduId: aspect.vduId, step: 2 }],
      })),
    }));
    pe.vnfd = { ...pe.vnfd, flavours };
    db.vnfds = [pe.vnfd, ...db.vnfds.slice(1)];
    for (const [vnfc, mateSlot] of [[pe.vnfcs[2], "2"] as const, [pe.vnfcs[3], "1"] as const]) {
      Object.assign(vnfc ?? {}, { mateSlot });
    }
  });
  const dialog = await open("Scale in");
  await user.click(await dialog.findByRole("radio", { name: "Choose 2 VNFCs" }));
  await user.click(await dialog.findByRole("checkbox", { name: "Remove Slot 2 (Data path VM)" }));
  expect(dialog.getByRole("checkbox", { name: "Remove Slot 1 (Data path VM)" })).toBeChecked();
  expect(dialog.getByRole("row", { name: /iom-1/ })).toHaveTextContent("with slot 2");
  const both = instance.vnfcs.slice(2).map(({ id }) => id);
  await confirm(dialog, "Scale in");
  expect(changesTo("/scale")[0]?.body).toMatchObject({ additionalParams: { vnfcToRemove: both } });
});

it("asks for the VNFCs of every VDU that a step has", async () => {
  await instancePage((db) => {
    const [pe] = db.instances;
    if (!pe) return;
    const flavours = pe.vnfd.flavours.map((flavour) => ({
      ...flavour,
      scalingAspects: flavour.scalingAspects.map((aspect) => ({
        ...aspect,
        deltas: [...aspect.deltas, { vduId: pe.vnfcs[0]?.vduId ?? "", step: 2 }],
      })),
    }));
    pe.vnfd = { ...pe.vnfd, flavours };
    db.vnfds = [pe.vnfd, ...db.vnfds.slice(1)];
  });
  const dialog = await open("Scale in");
  await user.click(await dialog.findByRole("radio", { name: /^Choose 1 × iom, 2 × / }));
  expect(await dialog.findByText("Choose 3 more VNFCs to see the plan.")).toBeVisible();
});

it("says how many steps are possible and plans no other number", async () => {
  await instancePage();
  const dialog = await open("Scale out");
  const steps = dialog.getByRole("spinbutton", { name: "Steps" });
  await user.clear(steps);
  await user.type(steps, "99");
  expect(steps).toHaveValue(99);
  expect(await dialog.findByText(/^Between 1 and \d+ steps are possible\.$/)).toBeVisible();
  expect(dialog.getByRole("button", { name: "Scale out" })).toBeDisabled();
});

it("leaves the choice of VNFCs to remove to the server", async () => {
  const { changesTo } = await instancePage();
  const dialog = await open("Scale in");
  await confirm(dialog, "Scale in");
  expect(changesTo("/scale")[0]?.body).not.toHaveProperty("additionalParams");
});

it("stops gracefully within a time limit, and starts again", async () => {
  const { changesTo } = await instancePage();
  const stop = await openFromMenu("Stop");
  await user.click(stop.getByRole("button", { name: "More time" }));
  expect(await stop.findByText("Traffic of this VNF instance stops.")).toBeVisible();
  await confirm(stop, "Stop");
  const start = await openFromMenu("Start");
  await confirm(start, "Start");
  expect(changesTo("/operate").map((each) => each.body)).toEqual([
    { changeStateTo: "STOPPED", stopType: "GRACEFUL", gracefulStopTimeout: 90 },
    { changeStateTo: "STARTED" },
  ]);
});

it("reads a time limit as it is typed, without leading zeros", async () => {
  const { changesTo } = await instancePage();
  const dialog = await openFromMenu("Stop");
  const limit = dialog.getByRole("spinbutton", { name: "Time limit" });
  await user.type(limit, "{Backspace}{Backspace}120");
  expect(limit).toHaveDisplayValue("120");
  await confirm(dialog, "Stop");
  expect(changesTo("/operate")[0]?.body).toMatchObject({ gracefulStopTimeout: 120 });
});

it("stops by force without a time limit", async () => {
  const { changesTo } = await instancePage();
  const dialog = await openFromMenu("Stop");
  await user.selectOptions(dialog.getByRole("combobox", { name: "Stop" }), "Forceful");
  expect(dialog.queryByLabelText("Time limit")).toBeNull();
  await confirm(dialog, "Stop");
  expect(changesTo("/operate")[0]?.body).toEqual({ changeStateTo: "STOPPED", stopType: "FORCEFUL" });
});

it("changes the flavour with its level and only those settings that were changed", async () => {
  const { changesTo } = await instancePage();
  const dialog = await openFromMenu("Change deployment flavour");
  expect(await dialog.findByText("Choose a flavour to see its plan.")).toBeVisible();
  await user.selectOptions(await dialog.findByLabelText("Deployment flavour"), "dense");
  await user.selectOptions(dialog.getByLabelText("Instantiation level"), "medium");
  await user.click(dialog.getByRole("button", { name: "Settings (unchanged)" }));
  const name = dialog.getByRole("textbox", { name: /System name/ });
  expect(name).toHaveValue("edge-fra-1");
  await user.clear(name);
  await user.type(name, "dense-1");
  expect(dialog.queryByLabelText("Control VM image")).toBeNull();
  await user.click(dialog.getByRole("checkbox", { name: "Create the flavors that are missing" }));
  await confirm(dialog, "Change deployment flavour");
  expect(changesTo("/change_flavour")[0]?.body).toEqual({
    newFlavourId: "dense",
    instantiationLevelId: "medium",
    additionalParams: { system_name: "dense-1", createFlavors: true },
  });
});

it("keeps the present scale in another flavour, though no level has it", async () => {
  const { changesTo } = await instancePage();
  const dialog = await openFromMenu("Change deployment flavour");
  await user.selectOptions(await dialog.findByLabelText("Deployment flavour"), "dense");
  expect(dialog.getByLabelText("Instantiation level")).toHaveDisplayValue("As now");
  await confirm(dialog, "Change deployment flavour");
  expect(changesTo("/change_flavour")[0]?.body).toEqual({
    newFlavourId: "dense",
    targetScaleLevelInfo: [{ aspectId: "datapath", scaleLevel: 1 }],
  });
});

it("names the VNFCs that a plan deletes, in red and on the button", async () => {
  await instancePage();
  const dialog = await openFromMenu("Change deployment flavour");
  await user.selectOptions(await dialog.findByLabelText("Deployment flavour"), "dense");
  await user.selectOptions(dialog.getByLabelText("Instantiation level"), "small");
  const heading = await dialog.findByRole("heading", { name: /1 VNFC will be deleted/ });
  expect(heading.parentElement).toHaveTextContent(/Slot 2 \(Data path VM\)$/);
  expect(dialog.getByRole("button", { name: "Change deployment flavour and delete 1 VNFC" })).toBeEnabled();
});

it("shows at its field what the plan says of a setting", async () => {
  await instancePage();
  const dialog = await openFromMenu("Change deployment flavour");
  await user.selectOptions(await dialog.findByLabelText("Deployment flavour"), "dense");
  await user.click(dialog.getByRole("button", { name: /^Settings/ }));
  const address = dialog.getByRole("textbox", { name: /Management IP, active/ });
  await user.clear(address);
  await user.type(address, "10.9.9.9");
  await waitFor(() => expect(address).toHaveAccessibleDescription(/10\.9\.9\.9 is not in/));
  expect(dialog.getByRole("button", { name: "Change deployment flavour" })).toBeDisabled();
});

it("connects an external virtual link to another network of the cloud", async () => {
  const { changesTo } = await instancePage();
  const dialog = await openFromMenu("Change connectivity");
  const network = await dialog.findByLabelText("Management");
  expect(network).toHaveAccessibleDescription(/Currently net-mgmt\./);
  await user.selectOptions(network, await dialog.findByRole("option", { name: /^oam / }));
  await confirm(dialog, "Change connectivity");
  expect(changesTo("/change_ext_conn")[0]?.body).toEqual({
    extVirtualLinks: [{ id: "management", resourceId: "n-oam", extCps: [{ cpdId: "mgmt" }] }],
  });
});

it("upgrades to another package of the same product", async () => {
  const { changesTo } = await instancePage();
  const dialog = await openFromMenu("Upgrade");
  const choice = await dialog.findByLabelText("Package");
  const texts = within(choice)
    .getAllByRole("option")
    .map((each) => each.textContent);
  expect(texts).toEqual(["Choose…", "Software 14.0.R1, VNFD 1.1.0"]);
  await user.selectOptions(choice, "Software 14.0.R1, VNFD 1.1.0");
  await confirm(dialog, "Upgrade");
  expect(changesTo("/change_vnfpkg")[0]?.body).toEqual({ vnfdId: vsrPeNext.vnfdId });
});

it("says so when the catalog has nothing to upgrade to", async () => {
  await instancePage((db) => (db.vnfds = db.vnfds.filter((each) => each.vnfdId !== vsrPeNext.vnfdId)));
  const dialog = await openFromMenu("Upgrade");
  expect(await dialog.findByText(/has no other package of VSR-PE/)).toBeVisible();
  expect(dialog.getByRole("button", { name: "Upgrade" })).toBeDisabled();
});

it("gives the focus back to the menu that a dialog was opened from", async () => {
  await instancePage();
  const dialog = await openFromMenu("Edit information");
  await dialog.findByLabelText("Name");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(screen.getByRole("button", { name: "Actions" })).toHaveFocus());
});

it("renames and describes, and patches only the metadata that changed", async () => {
  const { changesTo, instance } = await instancePage();
  const dialog = await openFromMenu("Edit information");
  expect(await dialog.findByText("No changes yet.")).toBeVisible();
  await user.clear(dialog.getByLabelText("Name"));
  await user.type(dialog.getByLabelText("Name"), "edge-fra-9");
  await user.click(dialog.getByRole("button", { name: "Remove owner" }));
  await user.click(dialog.getByRole("button", { name: "Add metadata" }));
  await user.type(dialog.getByLabelText("Key 3"), "site");
  await user.type(dialog.getByLabelText("Value of site"), "Frankfurt");
  await confirm(dialog, "Save");
  const [sent] = changesTo(`/vnf_instances/${instance.id}`);
  expect(sent).toMatchObject({
    method: "PATCH",
    body: { vnfInstanceName: "edge-fra-9", metadata: { owner: null, site: "Frankfurt" } },
  });
  expect(sent?.headers.get("Content-Type")).toBe("application/merge-patch+json");
  expect(instance.metadata).toEqual({ rack: 12, site: "Frankfurt" });
});

it("changes nothing after a concurrent change, and reloads", async () => {
  const { changesTo, instance } = await instancePage((db) => {
    if (db.instances[0]) db.instances[0].name = "edge-touched";
  });
  const dialog = await open("Heal");
  await planned(dialog);
  await waitFor(() => expect(dialog.getByRole("button", { name: "Heal" })).toBeEnabled());
  instance.name = "edge-still"; // There is no concurrent change from here on.
  await user.click(dialog.getByRole("button", { name: "Heal" }));
  const conflict = within(await dialog.findByRole("alert"));
  expect(conflict.getByText(/Changed since you opened this/)).toBeVisible();
  await user.click(conflict.getByRole("button", { name: "Reload" }));
  expect(await dialog.findByText(/this plan is for its current state/)).toBeVisible();
  await planned(dialog);
  await confirm(dialog, "Heal");
  const [first, second] = changesTo("/heal");
  expect(second?.headers.get("If-Match")).not.toBe(first?.headers.get("If-Match"));
});

it("retries under the same key when the answer was lost, so that no action runs twice", async () => {
  let db: Db | undefined;
  const { changesTo } = await instancePage((made) => {
    db = made;
    if (made.instances[0]) made.instances[0].name = "edge-lost";
  });
  const dialog = await open("Heal");
  await confirm(dialog, "Heal");
  const sent = changesTo("/heal");
  expect(sent).toHaveLength(2);
  expect(new Set(sent.map((each) => each.headers.get("Idempotency-Key"))).size).toBe(1);
  expect(db?.occs.filter((each) => each.operation === "HEAL")).toHaveLength(1);
});

it("says by keyboard, too, why a menu action is disabled", async () => {
  await instancePage((db) => {
    for (const vnfc of db.instances[0]?.vnfcs ?? []) vnfc.status = "ACTIVE";
  });
  screen.getByRole("button", { name: "Actions" }).focus();
  await user.keyboard("{Enter}");
  const item = await screen.findByRole("menuitem", { name: "Start" });
  expect(item).toHaveAttribute("aria-disabled", "true");
  await user.keyboard("{ArrowDown}{ArrowDown}");
  await waitFor(() => expect(item).toHaveFocus());
  expect(await screen.findByText("All VNFCs are already running.")).toBeInTheDocument();
});
