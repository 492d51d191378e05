import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { Db } from "../../mock-api/db";
import { vsrPe, vsrPeNext } from "../../mock-api/fixtures/vnfds";
import { makeOcc } from "../../mock-api/occurrences";
import type { Environment } from "@/api/types";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
beforeEach(() => {
  sessionStorage.clear();
  localStorage.setItem("vnfm.settings.advanced", "true");
});

const press = (name: string) => user.click(screen.getByRole("button", { name }));
const next = () => press("Next");
const box = (name: RegExp) => screen.findByRole("textbox", { name });
const heading = (name: string) => screen.findByRole("heading", { name });
async function retype(label: RegExp, text: string) {
  const input = await box(label);
  await user.clear(input);
  await user.type(input, text);
}

/** The options arrive one after the other. */
async function startFrom(option: string) {
  const field = await screen.findByRole("combobox", { name: "Start from" });
  await user.selectOptions(field, await within(field).findByRole("option", { name: option }));
}

const environment = (db: Db, patch: Partial<Environment> = {}): Environment => ({
  ...{ id: "env-1", version: 1, name: "site A", description: "", vnfdId: vsrPe.vnfdId, vnfProvider: vsrPe.provider },
  ...{ vnfProductName: vsrPe.productName, vnfSoftwareVersion: "0.0.B2-4601", vnfdVersion: "1.0.0" },
  ...{ vimId: db.vims[0]?.id ?? "", vimName: db.vims[0]?.name ?? "", flavourId: "default" },
  ...{ instantiationLevelId: "medium", targetScaleLevelInfo: [], additionalParams: { fabric_mtu: 1500 } },
  ...{ createdAt: "2026-01-01T00:00:00Z", createdBy: "a", changedAt: "2026-01-01T00:00:00Z", changedBy: "a" },
  ...patch,
});
const withEnvironment =
  (patch: Partial<Environment> = {}) =>
  (db: Db): void => {
    db.environments.push(environment(db, patch));
  };

it("saves what was changed under a name, without secrets", async () => {
  const { changesTo } = renderApp(pb.instantiate(vsrPe.vnfdId));
  await user.click(await screen.findByRole("radio", { name: "lab-east" }));
  await next();
  await retype(/^Fabric MTU/, "1500");
  await user.type(await screen.findByLabelText(/^Administrator password/), "long enough");
  await press("Save settings as…");
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/Secrets are not saved: Administrator password/)).toBeVisible();
  await user.type(dialog.getByLabelText(/^Name/), "site B");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Environment site B saved")).toBeVisible();
  expect(changesTo("/environments").at(-1)?.body).toMatchObject({
    ...{ name: "site B", vnfdId: vsrPe.vnfdId, flavourId: "default", instantiationLevelId: "small" },
    additionalParams: { fabric_mtu: 1500 },
  });
  expect(JSON.stringify(changesTo("/environments"))).not.toContain("long enough");
});

it("saves no invalid input", async () => {
  const { changesTo } = renderApp(pb.instantiate(vsrPe.vnfdId));
  await user.click(await screen.findByRole("radio", { name: "lab-east" }));
  await next();
  await retype(/^Fabric MTU/, "15");
  await press("Save settings as…");
  await waitFor(() => expect(screen.getByRole("textbox", { name: /^Fabric MTU/ })).toHaveFocus());
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(changesTo("/environments")).toEqual([]);
});

it("starts from an environment, and can still change everything", async () => {
  renderApp(pb.instantiate(vsrPe.vnfdId), { prepare: withEnvironment() });
  await startFrom("site A");
  await waitFor(() => expect(screen.getByRole("radio", { name: "lab-east" })).toBeChecked());
  await next();
  expect(await box(/^Fabric MTU/)).toHaveValue("1500");
  await retype(/^Name/, "edge-9");
  await next();
  expect(await screen.findByRole("combobox", { name: "Instantiation level" })).toHaveValue("medium");
  await press("Back");
  expect(await box(/^Name/)).toHaveValue("edge-9");
  await press("Back");
  await startFrom("Package defaults");
  await next();
  expect(await box(/^Fabric MTU/)).toHaveValue("9000");
  expect(await box(/^Name/)).toHaveValue("edge-9");
});

it("applies the address only once", async () => {
  renderApp(pb.instantiateWith(vsrPe.vnfdId, "env-1"), { prepare: withEnvironment() });
  const start = await screen.findByRole("combobox", { name: "Start from" });
  await waitFor(() => expect(start).toHaveDisplayValue("site A"));
  await startFrom("Package defaults");
  await waitFor(() => expect(start).toHaveDisplayValue("Package defaults"));
  await next();
  await retype(/^Name/, "edge-9");
  await press("Back");
  expect(await screen.findByRole("combobox", { name: "Start from" })).toHaveDisplayValue("Package defaults");
  await next();
  expect(await box(/^Fabric MTU/)).toHaveValue("9000");
});

it("applies what fits of another version's environment, and lists the rest", async () => {
  const params = { fabric_mtu: 1500, no_such_thing: 1 };
  renderApp(pb.instantiateWith(vsrPeNext.vnfdId, "env-1"), {
    prepare: withEnvironment({ additionalParams: params, vimId: "gone", vimName: "old-lab" }),
  });
  const left = within(await screen.findByRole("list", { name: "Not applied" }));
  expect(left.getByText("no_such_thing").closest("li")).toHaveTextContent(/no such setting/);
  expect(left.getByText("Cloud old-lab").closest("li")).toHaveTextContent(/no longer registered/);
  expect(screen.getByRole("combobox", { name: "Start from" })).toHaveDisplayValue(
    "site A (of 0.0.B2-4601, VNFD 1.0.0)",
  );
});

it("says so when the environment is gone", async () => {
  renderApp(pb.instantiateWith(vsrPe.vnfdId, "env-1"));
  expect(await screen.findByText(/The environment no longer exists/)).toBeVisible();
  expect(await screen.findByRole("radio", { name: "lab-east" })).toBeVisible();
});

it("clones from the instance's menu", async () => {
  const { router } = renderApp(pb.instances());
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  await user.click(await screen.findByRole("button", { name: "Actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Clone" }));
  await heading("Choose a cloud");
  expect(router.state.location.search).toMatch(/^\?vnfd=.*&copy=/);
});

it("gives a clone another name, has taken addresses chosen, and deploys it", async () => {
  let id = "";
  const { changesTo } = renderApp(() => pb.clone(vsrPe.vnfdId, id), {
    prepare: (db) => (id = db.instances[0]?.id ?? ""),
  });
  await waitFor(() => expect(screen.getByRole("radio", { name: "lab-east" })).toBeChecked());
  await next();
  expect(await screen.findByLabelText(/^Name/)).toHaveValue("edge-fra-1-2");
  expect(screen.getByText(/Enter again if needed: Administrator password/)).toBeVisible();
  const active = screen.getByLabelText(/Management IP, active/);
  expect(active).toHaveValue("172.16.10.10");
  expect(active).toHaveAccessibleDescription(/edge-fra-1 uses 172.16.10.10 on network oam/);
  await press("Save settings as…");
  expect(await screen.findByRole("dialog")).toBeVisible();
  await user.keyboard("{Escape}");
  await next();
  expect(active).toHaveFocus();
  await retype(/Management IP, active/, "172.16.10.20");
  await retype(/Management IP, standby/, "172.16.10.21");
  await next();
  await heading("Choose a size");
  expect(screen.getByLabelText("Data path: scale level")).toHaveValue(1);
  await next();
  await user.click(await screen.findByRole("button", { name: "Create and deploy" }));
  await waitFor(() => expect(changesTo("/instantiate")).toHaveLength(1));
  expect(changesTo("/instantiate")[0]?.body).toMatchObject({
    additionalParams: { mgmt_net: "oam", mgmt_ip_active: "172.16.10.20", mgmt_ip_standby: "172.16.10.21" },
  });
});

it("disables Next while the source is loading", async () => {
  const { setScenario } = renderApp(pb.instantiate(vsrPe.vnfdId));
  await user.click(await screen.findByRole("radio", { name: "lab-east" }));
  const start = await screen.findByRole("combobox", { name: "Start from" });
  await within(start).findByRole("option", { name: "edge-fra-1" });
  setScenario("held:/vnflcm/v2/vnf_instances/");
  await startFrom("edge-fra-1");
  expect(await screen.findByText("Applying the settings…")).toBeVisible();
  await next();
  expect(screen.getByRole("heading", { name: "Choose a cloud" })).toBeVisible();
  setScenario("");
  await waitFor(() => expect(screen.getByRole("button", { name: "Next" })).not.toHaveAttribute("aria-disabled"));
  await next();
  expect(await box(/^Name/)).toHaveValue("edge-fra-1-2");
});

it("saves the settings of an instance", async () => {
  const { changesTo } = renderApp(pb.instances());
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  await user.click(await screen.findByRole("button", { name: "Actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Save settings as…" }));
  const cloud = await screen.findByRole("checkbox", { name: "Include the cloud" });
  const dialog = within(screen.getByRole("dialog"));
  await user.type(dialog.getByLabelText(/^Name/), "as in Frankfurt");
  await user.click(cloud);
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(changesTo("/environments")).toHaveLength(1));
  expect(changesTo("/environments")[0]?.body).toMatchObject({
    ...{ name: "as in Frankfurt", vimId: null, flavourId: "default" },
    additionalParams: { system_name: "edge-fra-1", mgmt_net: "oam" },
  });
});

it("keeps step and draft over a reload, secrets excepted", async () => {
  const first = renderApp(pb.instantiate(vsrPe.vnfdId));
  await user.click(await screen.findByRole("radio", { name: "lab-east" }));
  await next();
  await retype(/^Name/, "edge-7");
  await user.type(await screen.findByLabelText(/^Administrator password/), "long enough");
  const { pathname, search } = first.router.state.location;
  expect(new URLSearchParams(search).get("step")).toBe("settings");
  cleanup();
  renderApp(pathname + search);
  expect(await box(/^Name/)).toHaveValue("edge-7");
  expect(await screen.findByLabelText(/^Administrator password/)).toHaveValue("");
  expect(screen.getByText(/Enter again if needed: Administrator password/)).toBeVisible();
});

it("goes a step back with the browser's Back, and loses nothing", async () => {
  const { router } = renderApp(pb.instantiate(vsrPe.vnfdId));
  await user.click(await screen.findByRole("radio", { name: "lab-east" }));
  await next();
  await retype(/^Name/, "edge-7");
  await next();
  await heading("Choose a size");
  await act(() => router.navigate(-1));
  expect(await box(/^Name/)).toHaveValue("edge-7");
  await act(() => router.navigate(-1));
  await heading("Choose a cloud");
  expect(screen.getByRole("radio", { name: "lab-east" })).toBeChecked();
});

it("opens no step by address before its choices are made", async () => {
  renderApp(`${pb.instantiate(vsrPe.vnfdId)}&step=plan`);
  expect(await heading("Choose a cloud")).toBeVisible();
});

it("validates while typing, after a pause", async () => {
  renderApp(pb.instantiate(vsrPe.vnfdId));
  await user.click(await screen.findByRole("radio", { name: "lab-east" }));
  await next();
  await retype(/Management IP, active/, "10.9.9.9");
  await waitFor(() =>
    expect(screen.getByRole("textbox", { name: /Management IP, active/ })).toHaveAccessibleDescription(
      /10\.9\.9\.9 is not in the network 172\.16\.10\.0\/24/,
    ),
  );
});

it("finds the size by a demand and takes it", async () => {
  renderApp(pb.instantiate(vsrPe.vnfdId));
  await user.click(await screen.findByRole("radio", { name: "lab-east" }));
  await next();
  await retype(/^Name/, "edge-7");
  await next();
  await heading("Choose a size");
  expect(screen.getByText(/^3 VMs, 12 vCPUs/)).toBeVisible();
  await press("Calculate the size from the demand");
  await user.type(await screen.findByRole("textbox", { name: "Packet rate" }), "170");
  await press("Calculate size");
  await user.click(await screen.findByRole("button", { name: "Use this size" }));
  expect(screen.getByRole("combobox", { name: "Instantiation level" })).toHaveValue("medium");
  expect(screen.getByText(/^5 VMs, 28 vCPUs/)).toBeVisible();
  await press("Back");
  await next();
  expect(await screen.findByRole("textbox", { name: "Packet rate" })).toHaveValue("170");
  expect(screen.getByText(/^5 VMs/)).toBeVisible();
});

it("begins with the settings of the last attempt, and can leave them", async () => {
  let instance: Db["instances"][number] | undefined;
  const prepare = (db: Db) => {
    instance = db.instances.find((each) => !each.instantiated);
    if (!instance) throw new Error("the mock has no instance that is not instantiated");
    const operationParams = {
      ...{ flavourId: "dense", instantiationLevelId: "single" },
      vimConnectionInfo: { vim1: { vimId: db.vims[0]?.id, vimType: "ETSINFV.OPENSTACK_KEYSTONE.V_3" } },
      additionalParams: { fabric_mtu: 1600, createFlavors: true },
    };
    makeOcc(db, instance, "INSTANTIATE", [], { operationParams, operationState: "ROLLED_BACK" });
  };
  const app = renderApp(pb.instances(), { prepare });
  await screen.findByRole("heading", { name: "VNF instances", level: 1 });
  await act(() => app.router.navigate(pb.reinstantiate(instance?.id ?? "")));
  const start = await screen.findByRole("combobox", { name: "Start from" });
  await waitFor(() => expect(start).toHaveDisplayValue("Last attempt"));
  await waitFor(() => expect(screen.getByRole("radio", { name: "lab-east" })).toBeChecked());
  await next();
  expect(await box(/^Fabric MTU/)).toHaveValue("1600");
  await next();
  expect(await screen.findByRole("combobox", { name: "Deployment flavour" })).toHaveValue("dense");
  await press("Back");
  await press("Back");
  await startFrom("Package defaults");
  await next();
  expect(await box(/^Fabric MTU/)).toHaveValue("9000");
});
