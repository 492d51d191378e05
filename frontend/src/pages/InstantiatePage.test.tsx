import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { Db } from "../../mock-api/db";
import { vsrPe } from "../../mock-api/fixtures/vnfds";
import type { InstantiateRequest } from "@/api/types";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
/** These tests show all settings; advanced.test.tsx tests the shorter form. */
beforeEach(() => localStorage.setItem("vnfm.settings.advanced", "true"));
const next = () => user.click(screen.getByRole("button", { name: "Next" }));
const retype = async (label: RegExp, text: string) => {
  const input = screen.getByRole("textbox", { name: label });
  await user.clear(input);
  await user.type(input, text);
};

async function toPlan() {
  await next();
  await screen.findByRole("heading", { name: "Choose a size" });
  await next();
}

async function toSettings(cloud = "lab-east", prepare: (db: Db) => void = () => undefined) {
  const app = renderApp(pb.instantiate(vsrPe.vnfdId), { prepare });
  await user.click(await screen.findByRole("radio", { name: cloud }));
  await next();
  await screen.findByRole("heading", { name: "Check and change settings" });
  return app;
}

const planned = ({ changesTo }: Awaited<ReturnType<typeof toSettings>>) =>
  (changesTo("/plans").at(-1)?.body as { request: InstantiateRequest }).request.additionalParams;
const group = (field: HTMLElement, name: string) => within(within(field).getByRole("group", { name }));
const optionsOf = (field: HTMLElement, name: string) =>
  group(field, name)
    .getAllByRole("option")
    .map((each) => each.textContent);

it("leads from a plan's error to its field, keeping the input", async () => {
  await toSettings();
  await retype(/^Name/, "edge-1");
  await retype(/Management IP, active/, "172.16.10.66");
  await retype(/System name/, "pe-1");
  await toPlan();
  const field = await screen.findByRole("textbox", { name: /Management IP, active/ });
  await waitFor(() => expect(field).toHaveFocus());
  expect(field).toHaveAccessibleDescription(/Another port has 172\.16\.10\.66/);
  expect(screen.getByRole("textbox", { name: /^Name/ })).toHaveValue("edge-1");
  expect(screen.getByRole("textbox", { name: /System name/ })).toHaveValue("pe-1");
});

it("stays at invalid settings, at the first of them", async () => {
  const { sent } = await toSettings();
  await retype(/^Name/, "edge-1");
  await retype(/Management subnet/, "nonsense");
  await next();
  expect(screen.getByRole("textbox", { name: /Management subnet/ })).toHaveFocus();
  expect(screen.getByText("Give a network such as 172.16.10.0/24.")).toBeVisible();
  expect(sent.filter((each) => each.path === "/api/v1/plans" && each.method === "POST")).toHaveLength(1);
});

it("leads back to the cloud step when the cloud fails", async () => {
  await toSettings("lab-west");
  await retype(/^Name/, "edge-1");
  await toPlan();
  await screen.findByRole("heading", { name: "Choose a cloud" });
  expect(screen.getByText(/lab-west does not answer since/)).toBeVisible();
});

it("shows the plan, creates, deploys, and opens the instance", async () => {
  const { sent, router } = await toSettings();
  await retype(/^Name/, "edge-1");
  await toPlan();
  await screen.findByRole("list", { name: "Planned steps" });
  await user.click(screen.getByRole("button", { name: "Create and deploy" }));
  await screen.findByRole("heading", { name: "edge-1", level: 1 });
  expect(router.state.location.pathname).toMatch(/^\/instances\/[0-9a-f-]{36}$/);
  const posts = sent
    .filter((each) => each.method === "POST" && each.path.startsWith("/vnflcm"))
    .map((each) => each.path.split("/").at(-1));
  expect(posts).toEqual(["vnf_instances", "instantiate"]);
});

it("selects a network by its distinguishing facts, and sends its id where names repeat", async () => {
  const app = await toSettings();
  await retype(/^Name/, "edge-1");
  const network = screen.getByRole("combobox", { name: "Management network" });
  await within(network).findByRole("option", { name: "public (203.0.113.0/24; external; shared)" });
  await user.selectOptions(network, "peering (198.51.100.64/26; shared; n-peering-2)");
  await toPlan();
  const table = await screen.findByRole("table", { name: "Planned networks" });
  expect(within(table).getByRole("row", { name: /^management peering/ })).toBeVisible();
  expect(planned(app)).toEqual({ mgmt_net: "n-peering-2" });
});

const withProfile = (db: Db) => {
  db.managementProfiles = [
    {
      ...{ id: "profile-1", name: "lab", vimId: null, provider: "", productName: "", configureSnmp: null, version: 1 },
      ...{ snmpPolicyId: "snmp-1", sshPolicyId: null, netconfPolicyId: null, addressRange: "127.30.0.0/16" },
      createdAt: "2026-11-28T12:00:00Z",
    },
  ];
};

it("shows the values that will be used, and who gives them", async () => {
  await toSettings("lab-east", withProfile);
  const address = screen.getByRole("textbox", { name: /Management IP, active/ });
  await waitFor(() => expect(address).toHaveValue("127.30.0.10"));
  expect(address).toHaveAccessibleDescription(/by profile Default: 172\.16\.10\.10/);
  expect(screen.getByRole("textbox", { name: /System name/ })).toHaveAccessibleDescription(/package's default/);
  await retype(/^Name/, "edge-1");
  await toPlan();
  const settings = within(await screen.findByRole("table", { name: "Planned settings" }));
  expect(settings.getByRole("row", { name: "Management IP, active 127.30.0.10 by profile" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: /^Package defaults \(\d+\)$/ }));
  expect(screen.getByRole("row", { name: /^System name vsr-pe package's default$/ })).toBeVisible();
});

it("shows what a chosen network of the cloud gives", async () => {
  await toSettings();
  const network = screen.getByRole("combobox", { name: "Management network" });
  await user.selectOptions(network, await within(network).findByRole("option", { name: /^public / }));
  const subnet = screen.getByRole("textbox", { name: /Management subnet/ });
  await waitFor(() => expect(subnet).toHaveValue("203.0.113.0/24"));
  expect(subnet).toHaveAccessibleDescription(/by cloud/);
});

it("sends the other addresses of a profile's subnet with one that is typed", async () => {
  const app = await toSettings("lab-east", withProfile);
  const address = screen.getByRole("textbox", { name: /Management IP, active/ });
  await waitFor(() => expect(address).toHaveValue("127.30.0.10"));
  await retype(/Management IP, active/, "127.30.0.20");
  await retype(/^Name/, "edge-1");
  await toPlan();
  await screen.findByRole("list", { name: "Planned steps" });
  expect(planned(app)).toEqual({
    mgmt_cidr: "127.30.0.0/24",
    mgmt_ip_active: "127.30.0.20",
    mgmt_ip_standby: "127.30.0.11",
  });
});

it("sends the package's own address where it is typed in place of a profile's", async () => {
  const app = await toSettings("lab-east", withProfile);
  await waitFor(() => expect(screen.getByRole("textbox", { name: /Management subnet/ })).toHaveValue("127.30.0.0/24"));
  await retype(/Management subnet/, "172.16.10.0/24");
  await retype(/Management IP, active/, "172.16.10.10");
  await retype(/Management IP, standby/, "172.16.10.11");
  await retype(/^Name/, "edge-1");
  await toPlan();
  await screen.findByRole("list", { name: "Planned steps" });
  expect(planned(app)).toMatchObject({ mgmt_cidr: "172.16.10.0/24", mgmt_ip_active: "172.16.10.10" });
});

it("shows Heat's own rows folded, by their logical paths", async () => {
  await toSettings();
  await retype(/^Name/, "edge-1");
  await toPlan();
  const preview = within(await screen.findByRole("region", { name: "Heat's preview" }));
  expect(preview.queryByRole("cell", { name: "iom_group/0/server" })).toBeNull();
  await user.click(preview.getByRole("button", { name: "Resources of the templates (4)" }));
  expect(preview.getByRole("cell", { name: "iom_group/0/server" })).toBeVisible();
  const own = within(screen.getByRole("table", { name: "Planned changes" }));
  expect(own.queryByRole("cell", { name: "iom_group/0/server" })).toBeNull();
});

const withDefault = (name: string, value: string) => (db: Db) => {
  const settings = vsrPe.settings.map((each) => (each.name === name ? { ...each, default: value } : each));
  db.vnfds = [{ ...vsrPe, settings }, ...db.vnfds.slice(1)];
};

it("reports an ambiguous network name at once", async () => {
  await toSettings("lab-east", withDefault("mgmt_net", "peering"));
  const network = screen.getByRole("combobox", { name: "Management network" });
  await waitFor(() => expect(network).toHaveAccessibleDescription(/Several networks of this cloud are named peering/));
  expect(network).toHaveDisplayValue("peering (several networks have this name)");
  await user.selectOptions(network, "n-peering-1");
  expect(network).not.toHaveAccessibleDescription(/Several/);
});

it("rejects a subnet that the chosen network does not have, and offers its own", async () => {
  const app = await toSettings();
  await retype(/^Name/, "edge-1");
  const network = screen.getByRole("combobox", { name: "Management network" });
  const subnet = screen.getByRole("textbox", { name: "Management subnet" });
  await within(network).findByRole("option", { name: /^public / });
  expect(screen.queryByRole("group", { name: /^Use a subnet/ })).toBeNull();
  await user.selectOptions(network, "public");
  expect(subnet).toHaveAccessibleDescription(
    /^Network public has no subnet 172\.16\.10\.0\/24, but 203\.0\.113\.0\/24\./,
  );
  const take = within(screen.getByRole("group", { name: "Use a subnet of public:" }));
  take.getByRole("button", { name: "203.0.113.0/24" }).focus();
  await user.keyboard("{Enter}");
  expect(subnet).toHaveValue("203.0.113.0/24");
  expect(subnet).not.toHaveAccessibleDescription(/has no subnet/);
  await retype(/Management IP, active/, "203.0.113.10");
  await retype(/Management IP, standby/, "203.0.113.11");
  await toPlan();
  await screen.findByRole("table", { name: "Planned networks" });
  expect(planned(app)).toEqual({
    ...{ mgmt_net: "public", mgmt_cidr: "203.0.113.0/24" },
    ...{ mgmt_ip_active: "203.0.113.10", mgmt_ip_standby: "203.0.113.11" },
  });
});

it("offers IPv4 subnets alone, and nothing of a network that has none", async () => {
  await toSettings();
  const network = screen.getByRole("combobox", { name: "Management network" });
  await within(network).findByRole("option", { name: /^oam / });
  await user.selectOptions(network, "oam");
  const take = within(screen.getByRole("group", { name: "Use a subnet of oam:" }));
  expect(take.getAllByRole("button").map((each) => each.textContent)).toEqual(["172.16.10.0/24"]);
  await user.selectOptions(network, "peering-a");
  expect(screen.queryByRole("group", { name: /^Use a subnet/ })).toBeNull();
});

it("proposes a flavor with the reason, and lists fitting ones first", async () => {
  const app = await toSettings();
  await retype(/^Name/, "edge-1");
  const flavor = screen.getByRole("combobox", { name: "Control VM flavor" });
  await waitFor(() => expect(flavor).toHaveDisplayValue("Proposed: vsr.cpm"));
  expect(flavor).toHaveAccessibleDescription(
    /Requires 2 vCPU.*The smallest flavor of the cloud that satisfies every need/,
  );
  expect(optionsOf(flavor, "Meet the requirements")).toEqual([
    "vsr.cpm (2 vCPU, 4 GiB, 10 GiB)",
    "vsr.iom (8 vCPU, 16 GiB, 10 GiB)",
  ]);
  expect(optionsOf(flavor, "Do not meet the requirements")).toEqual([
    "m1.small (1 vCPU, 2 GiB, 20 GiB)",
    "m1.large (4 vCPU, 8 GiB, 80 GiB)",
    "vsr.iom.xl (18 vCPU, 32 GiB, 10 GiB)",
  ]);
  await user.selectOptions(flavor, "vsr.iom");
  await toPlan();
  const table = await screen.findByRole("table", { name: "Planned flavors" });
  expect(within(table).getByRole("row", { name: /^cpm vsr\.iom \(your choice\)/ })).toBeVisible();
  expect(within(table).getByRole("row", { name: /^iom vsr\.iom \(proposed\)/ })).toBeVisible();
  expect(planned(app)).toEqual({ flavor_cpm: "vsr.iom" });
});

it("leaves the flavor open where none is proposed, and keeps one that the cloud does not have", async () => {
  await toSettings("lab-west", withDefault("flavor_iom", "huge"));
  const flavor = screen.getByRole("combobox", { name: "Control VM flavor" });
  await within(flavor).findByRole("group", { name: "Flavors of the cloud" });
  expect(flavor).toHaveDisplayValue("Chosen by the VNF manager");
  expect(optionsOf(flavor, "Flavors of the cloud")).toHaveLength(5);
  expect(screen.getByRole("combobox", { name: "Data path VM flavor" })).toHaveDisplayValue("huge (not in this cloud)");
});

it("suggests the names of the cloud, takes another and warns of it", async () => {
  const prepare = (db: Db) => {
    const settings = vsrPe.settings.map((each) =>
      each.name === "system_name" ? { ...each, name: "availability_zone", label: "Zone" } : each,
    );
    db.vnfds = [{ ...vsrPe, settings }, ...db.vnfds.slice(1)];
  };
  await toSettings("lab-east", prepare);
  const zone = await screen.findByRole("combobox", { name: "Zone" });
  await user.clear(zone);
  await user.type(zone, "nova:compute-1");
  expect(zone).toHaveValue("nova:compute-1");
  expect(zone).not.toHaveAccessibleDescription(/it had no/);
  await user.clear(zone);
  await user.type(zone, "new-zone");
  expect(zone).toHaveAccessibleDescription(/it had no new-zone, but nova, zone-2/);
  expect(zone).not.toBeInvalid();
});

it("says whose a chosen network is that another VNF has made", async () => {
  await toSettings("lab-east", withDefault("mgmt_net", "edge-fra-1-fabric"));
  const network = screen.getByRole("combobox", { name: "Management network" });
  await waitFor(() => expect(network).toHaveDisplayValue("edge-fra-1-fabric (of VNF edge-fra-1)"));
});

it("selects a cloud image, by id where names repeat, or keeps the package's", async () => {
  const prepare = (db: Db) => {
    for (const cloud of Object.values(db.resources)) {
      const [first] = cloud.images;
      if (first) cloud.images = [...cloud.images, { ...first, id: "i-twin", status: "queued" }];
    }
  };
  const app = await toSettings("lab-east", prepare);
  await retype(/^Name/, "edge-1");
  const control = screen.getByRole("combobox", { name: "Control VM image" });
  const data = screen.getByRole("combobox", { name: "Data path VM image" });
  await within(control).findByRole("group", { name: "Images of the cloud" });
  expect(control).toHaveDisplayValue("The image of the package");
  expect(optionsOf(control, "Images of the cloud")).toEqual([
    "vsr-placeholder-cpm (qcow2, 256 KiB; i-vsr-placeholder-cpm)",
    "TiMOS-C-13.0.R6 (qcow2, 411 MiB)",
    "vsr-placeholder-cpm (qcow2, 256 KiB, queued; i-twin)",
  ]);
  await user.selectOptions(control, "TiMOS-C-13.0.R6");
  await user.selectOptions(data, "i-twin");
  await toPlan();
  await screen.findByRole("list", { name: "Planned steps" });
  expect(planned(app)).toEqual({ image_cpm: "TiMOS-C-13.0.R6", image_iom: "i-twin" });
});

it("shows quota use and warnings of the plan", async () => {
  await toSettings();
  await retype(/^Name/, "edge-1");
  await toPlan();
  const quota = within(await screen.findByRole("region", { name: "Quota of the cloud project" }));
  const bar = (name: string) => quota.getByRole("progressbar", { name });
  expect(bar("Instances")).toHaveAttribute("aria-valuetext", "11 + 3 of 40");
  // The bar includes the plan's addition.
  expect(bar("Instances")).toHaveAttribute("aria-valuenow", "35");
  expect(bar("vCPUs")).toHaveAttribute("aria-valuetext", "58 + 12 of 120");
  expect(bar("Memory (GiB)")).toHaveAttribute("aria-valuetext", "186 + 24 of 256");
  expect(quota.getAllByRole("progressbar")).toHaveLength(3);
  expect(screen.getByText(/The software images are placeholders/)).toBeVisible();
});

it("deploys with the only cloud, a proposed name and the defaults, by two clicks", async () => {
  const { router, sent } = renderApp(pb.instantiate(vsrPe.vnfdId), {
    prepare: (db) => {
      db.vims = db.vims.slice(0, 1);
    },
  });
  await waitFor(() => expect(screen.getByRole("radio", { name: "lab-east" })).toBeChecked());
  await user.click(await screen.findByRole("button", { name: "Skip to plan" }));
  await screen.findByRole("list", { name: "Planned steps" });
  await user.click(screen.getByRole("button", { name: "Create and deploy" }));
  await screen.findByRole("heading", { name: "vsr-pe-1", level: 1 });
  expect(router.state.location.pathname).toMatch(/^\/instances\//);
  const body = sent.find((each) => each.path.endsWith("/instantiate"))?.body;
  expect(body).not.toHaveProperty("additionalParams");
});

it("says why Next is disabled", async () => {
  renderApp(pb.instantiate(vsrPe.vnfdId));
  await screen.findByRole("radio", { name: "lab-east" });
  expect(screen.getByText("Choose a cloud first")).toBeVisible();
  expect(screen.getByRole("button", { name: "Next" })).toHaveAttribute("aria-disabled", "true");
});

/** `mayCreate` is null where Nova's policy is unknown. */
const withoutFlavors = (mayCreate: boolean | null) => (db: Db) => {
  const [vim] = db.vims;
  if (!vim) throw new Error("the mock has no cloud");
  vim.capabilities = { ...vim.capabilities, flavor_create: mayCreate };
  const resources = db.resources[vim.id];
  if (resources) resources.flavors = [];
};
const CREATE = "Create the flavors that are missing";

it("names the missing flavors with the administrator's command where none may be created", async () => {
  await toSettings("lab-east", withoutFlavors(false));
  const box = await screen.findByRole("checkbox", { name: CREATE });
  expect(box).toBeDisabled();
  expect(box).not.toBeChecked();
  expect(box).toHaveAccessibleDescription(/Nova does not let vnfm create flavors/);
  const missing = within(screen.getByRole("list", { name: "Missing flavors" }));
  expect(missing.getByText("openstack flavor create --vcpus 2 vnfm-cpm")).toBeVisible();
});

it("returns to the same step from a rejected plan", async () => {
  await toSettings("lab-east", withoutFlavors(false));
  await user.click(screen.getByRole("button", { name: "Skip to plan" }));
  expect(await screen.findByRole("list", { name: "Missing flavors" })).toBeVisible();
  expect(screen.getByRole("combobox", { name: "Control VM flavor" })).toHaveAccessibleDescription(/None of the 0/);
});

it("requires consent where the cloud does not report it, and sends it", async () => {
  const app = await toSettings("lab-east", withoutFlavors(null));
  const box = await screen.findByRole("checkbox", { name: CREATE });
  expect(box).toHaveAccessibleDescription(/It is unknown whether Nova lets vnfm create flavors/);
  await user.click(box);
  await user.click(screen.getByRole("button", { name: "Skip to plan" }));
  await waitFor(() => expect(planned(app)).toEqual({ createFlavors: true }));
});
