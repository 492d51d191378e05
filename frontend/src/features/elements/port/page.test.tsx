import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { Db } from "../../../../mock-api/db";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
vi.setConfig({ testTimeout: 20_000 });

function open(address: (id: string) => string, prepare?: (db: Db, id: string) => void) {
  let id = "";
  const app = renderApp(() => address(id), {
    prepare: (db) => {
      id = db.elements.find(({ name }) => name === "fra-pe-1")?.id ?? "";
      prepare?.(db, id);
    },
  });
  return { ...app, id };
}

it("shows a port's services, its neighbour and its counters", async () => {
  let silent = "";
  const { id } = open(pb.element, (db) => {
    silent = db.elements.find(({ name }) => name === "muc-pe-9")?.id ?? "";
  });
  const tree = within(await screen.findByRole("tree"));
  await user.click(tree.getByRole("treeitem", { name: /^Port 1\/1\/1/ }));
  const panel = within(await screen.findByRole("region", { name: "Port 1/1/1" }));
  const own = within(await panel.findByRole("region", { name: "Interface" }));
  expect(own.getByText("10 Gbit/s")).toBeVisible();
  const traffic = within(panel.getByRole("region", { name: "Traffic" }));
  expect(await traffic.findAllByText(/bit\/s, [\d.]+ % of speed$/)).toHaveLength(2);
  expect(traffic.getAllByText(/^in [\d.]+ per second, out [\d.]+ per second$/)).toHaveLength(2);
  expect(traffic.getByRole("link", { name: "Counters over time" })).toHaveAttribute("href", pb.counters(id, "1/1/1"));
  const neighbours = within(panel.getByRole("region", { name: "Neighbours" }));
  const [link] = await neighbours.findAllByRole("link", { name: "muc-pe-9" });
  expect(link).toHaveAttribute("href", pb.element(silent));
  expect(neighbours.getByText("Learned")).toBeVisible();
  expect(neighbours.getByText("Exchange")).toBeVisible();
  const peers = within(panel.getByRole("region", { name: "BGP neighbours" }));
  await user.click(await peers.findByRole("link", { name: "198.51.100.0" }));
  expect(await screen.findByRole("row", { name: /198\.51\.100\.0.*Established/ })).toBeVisible();
  expect(screen.queryByRole("row", { name: /203\.0\.113\.7/ })).toBeNull();
});

it("shows outdated counters as unknown, and since when", async () => {
  open((id) => pb.elementInterface(id, 1003));
  const traffic = within(await screen.findByRole("region", { name: "Traffic" }));
  expect(await traffic.findByText(/^Unknown since/)).toHaveTextContent(/no counters since then/);
  expect(traffic.queryByText(/bit\/s/)).toBeNull();
});

it("shows objects without counters as unknown", async () => {
  open((id) => pb.elementInterface(id, 1004));
  const traffic = within(await screen.findByRole("region", { name: "Traffic" }));
  expect(await traffic.findByText(/no counters in the last 7 days/)).toBeVisible();
});

it("says why there are no counters, and what an interface is of which nothing is listed", async () => {
  const { router, id, setScenario } = open((id) => pb.elementTab(id, "interfaces"));
  await screen.findByRole("row", { name: /1\/1\/2/ });
  setScenario("error-500:/counters");
  await user.click(screen.getByRole("link", { name: "1/1/2" }));
  const drawer = within(await screen.findByRole("complementary", { name: "Interface 1/1/2" }));
  await waitFor(() => expect(drawer.getByRole("heading", { name: "Interface 1/1/2" })).toHaveFocus());
  expect(await within(drawer.getByRole("region", { name: "Traffic" })).findByRole("alert")).toBeVisible();
  expect(await drawer.findByText(/agg-sw-3/)).toBeVisible();
  expect(drawer.getByText("Lost")).toBeVisible();
  expect(await drawer.findByRole("link", { name: "Port 1/1/2 in the equipment" })).toBeVisible();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(router.state.location.search).toBe("?tab=interfaces"));
  await act(() => router.navigate(pb.elementInterface(id, 77)));
  expect(await screen.findByText(/has no interface with ifIndex 77/)).toBeVisible();
});

it("shows the neighbours of a port by its router interface", async () => {
  const { id } = open((own) => pb.elementInterface(own, 1002));
  const own = within(await screen.findByRole("region", { name: "Interface" }));
  const router = own.getByRole("link", { name: "to-customer-7" });
  expect(router).toHaveAttribute("href", pb.elementInterface(id, 5001));
  const neighbours = within(screen.getByRole("region", { name: "Neighbours" }));
  expect(await neighbours.findByText(/^OSPF 203\.0\.113\.7/)).toBeVisible();
  const peers = within(screen.getByRole("region", { name: "BGP neighbours" }));
  expect(await peers.findByRole("link", { name: "203.0.113.7" })).toBeVisible();
  expect(peers.queryByRole("link", { name: "198.51.100.0" })).toBeNull();
  await user.click(router);
  const drawer = within(await screen.findByRole("complementary", { name: "Interface to-customer-7" }));
  expect(await drawer.findByText("On port")).toBeVisible();
  expect(drawer.getByRole("link", { name: "1/1/2" })).toHaveAttribute("href", pb.elementInterface(id, 1002));
  expect(await drawer.findByRole("link", { name: "203.0.113.7" })).toBeVisible();
});

it("says that the peers of a port without addresses are unknown", async () => {
  open((own) => pb.elementInterface(own, 1003));
  const peers = within(await screen.findByRole("region", { name: "BGP neighbours" }));
  expect(await peers.findByText(/Unknown: the port has no IP address/)).toBeVisible();
});

it("leads from each interface to its counters, by the name that they are kept under", async () => {
  const { id } = open(
    (own) => pb.elementTab(own, "interfaces"),
    ({ interfaces }, own) => {
      for (const each of interfaces.get(own)?.slice(2) ?? []) each.name = "system";
    },
  );
  expect(await screen.findByRole("link", { name: "Counters of 1/1/1" })).toHaveAttribute(
    "href",
    pb.counters(id, "1/1/1"),
  );
  const [twin] = screen.getAllByRole("link", { name: "Counters of system" });
  expect(twin).toHaveAttribute("href", pb.counters(id, "system (1003)"));
});

it("lists the neighbours, with a way to those that are managed here", async () => {
  const { id } = open((own) => pb.elementTab(own, "neighbours"));
  const table = within(await screen.findByRole("table", { name: "Neighbours" }));
  const lost = table.getByRole("row", { name: /1\/1\/2 LLDP agg-sw-3 Gi0\/7 .*Lost/ });
  expect(within(lost).queryByRole("link", { name: "agg-sw-3" })).toBeNull();
  const [managed] = await table.findAllByRole("link", { name: "muc-pe-9" });
  expect(within(lost).getByRole("link", { name: "1/1/2" })).toHaveAttribute("href", pb.elementInterface(id, 1002));
  if (managed) await user.click(managed);
  expect(await screen.findByRole("heading", { name: "muc-pe-9", level: 1 })).toBeVisible();
});

it("leads to no neighbour of which two elements claim to be the one", async () => {
  open(
    (own) => pb.elementTab(own, "neighbours"),
    ({ elements }) => {
      for (const each of elements.slice(1))
        Object.assign(each, { sysName: "muc-pe-9", managementAddress: "192.0.2.19" });
    },
  );
  const table = within(await screen.findByRole("table", { name: "Neighbours" }));
  expect(await table.findByRole("row", { name: /1\/1\/1 LLDP muc-pe-9/ })).toBeVisible();
  expect(table.queryByRole("link", { name: /muc-pe-9|edge-fra-1/ })).toBeNull();
});

it("says that no neighbour is known", async () => {
  open(
    (own) => pb.elementTab(own, "neighbours"),
    ({ adjacencies }) => adjacencies.clear(),
  );
  expect(await screen.findByText("No neighbours")).toBeVisible();
});

it("says why the neighbours cannot be read", async () => {
  const { router, id, setScenario } = open((own) => pb.elementTab(own, "facts"));
  await screen.findByRole("table", { name: "Facts" });
  setScenario("error-500:/adjacencies");
  await act(() => router.navigate(pb.elementTab(id, "neighbours")));
  expect(await screen.findByRole("alert")).toBeVisible();
});
