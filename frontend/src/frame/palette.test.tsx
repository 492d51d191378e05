import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { alarm, type Db } from "../../mock-api/db";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

vi.setConfig({ testTimeout: 20_000 });
const user = userEvent.setup();
beforeEach(() => localStorage.clear());

async function typed(text: string, options: Parameters<typeof renderApp>[1] = {}) {
  const app = renderApp(pb.vims(), options);
  await screen.findByRole("heading", { level: 1 });
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox", { name: "Search" }), text);
  return app;
}
const actions = () => screen.findByRole("group", { name: "Actions" });

it("opens the dialog of an operation with its plan, and sends nothing", async () => {
  const { router, sent } = await typed("scale out edge-fra-1");
  expect(await within(await actions()).findByRole("option", { name: /^Scale out: edge-fra-1/ })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await waitFor(() => expect(screen.queryByText("Searching …")).toBeNull());
  await user.keyboard("{Enter}");
  const dialog = await screen.findByRole("dialog", { name: "Scale out edge-fra-1" });
  await waitFor(() => expect(within(dialog).getByRole("button", { name: "Scale out" })).toBeEnabled());
  expect(sent.filter(({ method, path }) => method !== "GET" && !path.endsWith("/plans"))).toEqual([]);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(router.state.location.search).toBe("");
});

it("says why an operation is not possible now", async () => {
  await typed("heal rr-lab");
  await user.click(await within(await actions()).findByRole("option", { name: /^Heal: rr-lab/ }));
  expect(await screen.findByRole("dialog", { name: "Heal: rr-lab" })).toBeVisible();
});

it("asks before it acknowledges all alarms of an object, with their number", async () => {
  const raise = (db: Db) => {
    const element = db.elements[0];
    if (!element) throw new Error("The mock has elements.");
    element.name = "core-1";
    const patch = { managedObjectType: "NETWORK_ELEMENT", ackState: "UNACKNOWLEDGED" } as const;
    db.alarms = [alarm(element, patch), alarm(element, patch)];
  };
  const { changesTo } = await typed("ack all of core-1", { prepare: raise });
  await user.click(await within(await actions()).findByRole("option", { name: /^Acknowledge all alarms of core-1/ }));
  const dialog = await screen.findByRole("dialog", { name: "Acknowledge all 2 alarms that match" });
  expect(changesTo("/alarms")).toEqual([]);
  await user.click(within(dialog).getByRole("button", { name: "Acknowledge 2 alarms" }));
  await waitFor(() => expect(changesTo("/alarms")).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("begins the wizard with the package that is to be deployed", async () => {
  const { router } = await typed("deploy vsr-pe");
  await user.click(await within(await actions()).findByRole("option", { name: /^Instantiate a VNF: .*VSR-PE 14/ }));
  await waitFor(() => expect(router.state.location.search).toMatch(/^\?vnfd=/));
});

it("goes on to be typed after a verb alone, and offers the actions of a name", async () => {
  await typed("hea");
  await user.click(await screen.findByRole("option", { name: /^Heal …/ }));
  const field = screen.getByRole("combobox", { name: "Search" });
  expect(field).toHaveValue("heal ");
  expect(field).toHaveFocus();
  await user.clear(field);
  await user.type(field, "edge-fra-1");
  expect(await within(await actions()).findByRole("option", { name: "Terminate: edge-fra-1" })).toBeVisible();
});

it("offers a viewer no action, but says which role it takes", async () => {
  const { router } = await typed("terminate edge-fra-1", { scenario: "viewer" });
  const option = await within(await actions()).findByRole("option", { name: /^Terminate: edge-fra-1/ });
  expect(option).toHaveAttribute("aria-disabled", "true");
  expect(option).toHaveTextContent("requires the role operator");
  await user.click(option);
  expect(router.state.location.pathname).toBe(pb.vims());
});

it("tells a viewer who follows the address of an action which role it takes", async () => {
  let address = "";
  renderApp(() => address, {
    scenario: "viewer",
    prepare: (db) => (address = pb.instanceAction(db.instances[0]?.id ?? "", "heal")),
  });
  expect(await screen.findByRole("dialog", { name: /^Heal: / })).toHaveTextContent("requires the role operator");
});

it("resyncs an element only when that is confirmed", async () => {
  const { changesTo } = await typed("resync fra-pe-1");
  await user.click(await within(await actions()).findByRole("option", { name: /^Resync: fra-pe-1/ }));
  const dialog = await screen.findByRole("dialog", { name: "Resync: fra-pe-1" });
  expect(changesTo("/resync")).toEqual([]);
  await user.click(within(dialog).getByRole("button", { name: "Resync" }));
  await waitFor(() => expect(changesTo("/resync")).toHaveLength(1));
});

it("finds pages by the words of other managers", async () => {
  const { router } = await typed("NE list");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe(pb.elements()));
});
