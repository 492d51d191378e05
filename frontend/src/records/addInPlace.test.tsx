import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { vsrPe } from "../../mock-api/fixtures/vnfds";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

vi.setConfig({ testTimeout: 20_000 });
const user = userEvent.setup();

async function settingsStep() {
  localStorage.setItem("vnfm.settings.advanced", "true");
  const app = renderApp(pb.instantiate(vsrPe.vnfdId));
  await user.click(await screen.findByRole("radio", { name: "lab-east" }));
  await user.click(screen.getByRole("button", { name: "Next" }));
  await screen.findByRole("heading", { name: "Check and change settings" });
  return app;
}

async function networkFor(field: string, name: string, cidr: string) {
  await user.click(await screen.findByRole("button", { name: `New network for ${field}` }));
  const dialog = within(await screen.findByRole("dialog", { name: "New network" }));
  await user.type(dialog.getByRole("textbox", { name: /^Name/ }), name);
  await user.type(dialog.getByRole("textbox", { name: /^Subnet/ }), cidr);
  await user.click(dialog.getByRole("button", { name: "Add" }));
  return dialog;
}

async function registering() {
  const app = renderApp(pb.elements());
  await user.click(await screen.findByRole("button", { name: /^Register/ }));
  const form = await screen.findByRole("dialog");
  await user.type(within(form).getByRole("textbox", { name: /^Name/ }), "core-9");
  return app;
}

it("makes a site from the form that needs one, and keeps what was typed", async () => {
  const { changesTo } = await registering();
  await user.click(screen.getByRole("button", { name: "New site" }));
  const site = within(await screen.findByRole("dialog", { name: "New site" }));
  await user.type(site.getByRole("textbox", { name: /^Name/ }), "Leipzig");
  await user.click(site.getByRole("button", { name: "Add" }));
  const form = within(await screen.findByRole("dialog", { name: /Register/ }));
  expect(form.getByRole("textbox", { name: /^Name/ })).toHaveValue("core-9");
  await waitFor(() => expect(form.getByRole("combobox", { name: /^Site/ })).toHaveValue("Leipzig"));
  expect(changesTo("/sites")).toHaveLength(1);
  expect(changesTo("/elements")).toHaveLength(0);
});

it("offers the protocols of the field for a new policy, and goes back without one", async () => {
  const { changesTo } = await registering();
  await user.click(screen.getByRole("button", { name: "New SNMP policy" }));
  const policy = within(await screen.findByRole("dialog", { name: "New SNMP policy" }));
  const protocol = policy.getByRole("combobox", { name: /^Protocol/ });
  expect(
    within(protocol)
      .getAllByRole("option")
      .map((option) => option.textContent),
  ).toEqual(["SNMPv2c", "SNMPv3 (USM)"]);
  await user.click(policy.getByRole("button", { name: "Cancel" }));
  const form = within(await screen.findByRole("dialog", { name: /Register/ }));
  expect(form.getByRole("textbox", { name: /^Name/ })).toHaveValue("core-9");
  expect(changesTo("/mediation_policies")).toHaveLength(0);
});

it("makes a policy from the wizard, and chooses it", async () => {
  const { changesTo } = await settingsStep();
  await user.click(screen.getByRole("button", { name: "New SNMP policy" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New SNMP policy" }));
  await user.type(dialog.getByRole("textbox", { name: /^Name/ }), "lab-snmp");
  await user.type(dialog.getByRole("textbox", { name: /^Networks/ }), "172.16.10.0/24");
  await user.type(dialog.getByLabelText(/^Community/), "secret");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByRole("combobox", { name: "SNMP policy" })).toHaveDisplayValue("lab-snmp");
  expect(changesTo("/mediation_policies")).toHaveLength(1);
});

it("makes a network from the wizard, says what is wrong with its subnet, and chooses it", async () => {
  const { changesTo } = await settingsStep();
  const dialog = await networkFor("Management network", "oam-2", "10.9.0.1/24");
  expect(await dialog.findByText(/^Enter a subnet such as/)).toBeVisible();
  const subnet = dialog.getByRole("textbox", { name: /^Subnet/ });
  await user.clear(subnet);
  await user.type(subnet, "10.9.0.0/24");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const network = screen.getByRole("combobox", { name: /^Management network/ });
  expect(network).toHaveDisplayValue("oam-2 (10.9.0.0/24)");
  const moved = { "Management subnet": "10.9.0.0/24", "Management IP, active": "10.9.0.10" };
  for (const [name, value] of Object.entries(moved))
    expect(screen.getByRole("textbox", { name: new RegExp(`^${name}`) })).toHaveValue(value);
  expect(changesTo("/networks").at(-1)?.body).toEqual({ name: "oam-2", cidr: "10.9.0.0/24", dhcp: true });
});

it("chooses a new network by its id where another has its name", async () => {
  await settingsStep();
  await networkFor("Management network", "oam", "10.9.0.0/24");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByRole("combobox", { name: /^Management network/ })).toHaveDisplayValue(/10\.9\.0\.0/);
});

it("chooses nothing after Cancel, although the network is made", async () => {
  const { changesTo, setScenario } = await settingsStep();
  setScenario("held:networks");
  const dialog = await networkFor("Management network", "oam-2", "10.9.0.0/24");
  await waitFor(() => expect(changesTo("/networks")).toHaveLength(1));
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  setScenario("");
  await screen.findByRole("option", { name: "oam-2 (10.9.0.0/24)" });
  expect(screen.getByRole("combobox", { name: /^Management network/ })).toHaveValue("");
  expect(screen.getByRole("textbox", { name: /^Management subnet/ })).toHaveValue("172.16.10.0/24");
});

it("makes a network on top of a dialog, which Escape leaves open", async () => {
  let id = "";
  renderApp(() => pb.instance(id), {
    prepare: ({ instances }) => {
      id = instances[0]?.id ?? "";
    },
  });
  await user.click(await screen.findByRole("button", { name: "Actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Change connectivity" }));
  const below = await screen.findByRole("dialog", { name: /^Change connectivity/ });
  await user.click(await within(below).findByRole("button", { name: /^New network for/ }));
  const dialog = await screen.findByRole("dialog", { name: "New network" });
  await user.click(within(dialog).getByText(/^The network belongs to the project/));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "New network" })).toBeNull());
  expect(below).toBeVisible();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
