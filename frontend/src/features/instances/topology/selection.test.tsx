import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, it } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import { stubLayoutForFlow } from "@/testing/flow";

beforeAll(stubLayoutForFlow);

it("selects the part in the address in an instance's drawing, with a history entry", async () => {
  let [id, vnfc, name] = ["", "", ""];
  const { router } = renderApp(() => `${pb.instance(id)}?tab=topology`, {
    prepare: (db) => {
      const [one] = db.instances;
      [id, vnfc, name] = [one?.id ?? "", one?.vnfcs[0]?.id ?? "", one?.vnfcs[0]?.name ?? ""];
    },
  });
  await screen.findByRole("region", { name: "Topology" });
  await act(() => router.navigate(`?tab=topology&part=${vnfc}`));
  expect(await screen.findByRole("heading", { name })).toBeVisible();
  await act(() => router.navigate(-1));
  await waitFor(() => expect(screen.queryByRole("heading", { name })).toBeNull());
});

it("draws each network with its state as text, and describes the selected one", async () => {
  let id = "";
  renderApp(() => `${pb.instance(id)}?tab=topology&part=net-mgmt`, {
    prepare: ({ instances: [one] }) => {
      id = one?.id ?? "";
      const [port] = one?.vnfcs[0]?.ports ?? [];
      if (port) port.status = "DOWN";
    },
  });
  const box = await screen.findByRole("group", { name: "Network mgmt, Degraded, 4 VNFCs attached", hidden: true });
  expect(within(box).getByText("Degraded")).toBeInTheDocument();
  const facts = within(await screen.findByRole("region", { name: "Network mgmt" }));
  expect(facts.getByText("Degraded")).toBeVisible();
});

it("shows the port of an address that was searched", async () => {
  const user = userEvent.setup();
  const { router } = renderApp(pb.vims());
  await screen.findByRole("heading", { level: 1 });
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox", { name: "Search" }), "172.16.10.21");
  const found = within(await screen.findByRole("group", { name: "IP addresses" }));
  await user.click(found.getByRole("option", { name: /edge-fra-1-cpm-b/ }));
  const facts = within(await screen.findByRole("region", { name: "Port mgmt" }));
  expect(facts.getByText("172.16.10.21")).toBeVisible();
  expect(router.state.location.search).toMatch(/^\?tab=topology&part=.+/);
});
