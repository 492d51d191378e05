import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { alarm, type Db } from "../../../mock-api/db";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import { mapAddress, partAddress } from "./partAddress";

const user = userEvent.setup();
const NE = { id: "ne1", name: "fra-pe-1" };
const ofElement = (faultyResource: string) => alarm(NE, { managedObjectType: "NETWORK_ELEMENT", faultyResource });
const FDN = "network:192.0.2.11:shelf-1:cardSlot-2:card";

describe("where the part of an alarm is shown", () => {
  it.each([
    [FDN, `/elements/ne1?part=${encodeURIComponent(FDN)}`],
    ["ne1:interface-1002", "/elements/ne1?tab=interfaces&interface=1002"],
    ["ne1:bgp:203.0.113.7", "/elements/ne1?tab=bgp&peer=203.0.113.7&bgp-neighbours.search=203.0.113.7"],
    [
      "ne1:bgp:red:2001:db8::7",
      "/elements/ne1?tab=bgp&peer=red%3A2001%3Adb8%3A%3A7&bgp-neighbours.search=red%3A2001%3Adb8%3A%3A7",
    ],
    ["ne1:counter:cpu:r1:(element)", "/elements/ne1?tab=counters&object=(element)"],
    ["ne1:counter:utilisationIn:r1:VPRN:1/1/1", "/elements/ne1?tab=counters&object=VPRN%3A1%2F1%2F1"],
    ["ne1:redundancy", "/elements/ne1?tab=facts"],
    ["ne1", undefined],
  ])("%s of an element: %s", (resource, address) => {
    expect(partAddress(ofElement(resource))).toBe(address);
  });
  it("leads to all VNFCs that it names, and on the map to the one that it is of", () => {
    const vnf = { id: "vnf1", name: "edge" };
    expect(partAddress(alarm(vnf, { vnfcIds: ["a", "b"] }))).toBe("/instances/vnf1?vnfc=a,b");
    expect(partAddress(alarm(vnf, {}))).toBeUndefined();
    expect(mapAddress(alarm(vnf, { vnfcIds: ["a"] }))).toBe("/topology?node=vm%3Aa");
    expect(mapAddress(alarm(vnf, { vnfcIds: ["a", "b"] }))).toBe("/topology?node=instance%3Avnf1");
    expect(mapAddress(ofElement(FDN))).toBe("/topology?node=element%3Ane1");
    expect(mapAddress(alarm(vnf, { managedObjectType: "VIM" }))).toBe("/topology?node=cloud%3Avnf1");
  });
});

it("leads from an alarm to the card in its element's tree, which is opened as far as that", async () => {
  let port = "";
  renderApp(pb.alarms(), {
    prepare: ({ alarms, elements: [element], equipment }: Db) => {
      const parts = equipment.get(element?.id ?? "") ?? [];
      port = parts.find(({ slot, equipmentClass }) => equipmentClass === "PORT" && slot === "4")?.fdn ?? "";
      // The ports of a large element are closed at first.
      for (let n = 0; n < 100; n += 1) {
        const [mda] = parts.filter(({ equipmentClass }) => equipmentClass === "MDA");
        if (mda) parts.push({ ...mda, equipmentClass: "PORT", fdn: `${mda.fdn}:x-${n}`, parentFdn: mda.fdn });
      }
      if (element) {
        const named = { faultType: "PortDown", faultyResource: port, faultyResourceName: "fra-pe-1 Port 1/1/4" };
        alarms.push(alarm(element, { managedObjectType: "NETWORK_ELEMENT", ...named }));
      }
    },
  });
  await user.click(await screen.findByRole("link", { name: "fra-pe-1 Port 1/1/4" }));
  expect(await screen.findByRole("heading", { name: "fra-pe-1", level: 1 })).toBeVisible();
  const tree = within(await screen.findByRole("tree"));
  const item = tree.getByRole("treeitem", { name: /^Port 1\/1\/4/ });
  expect(item).toHaveAttribute("aria-selected", "true");
  expect(item).toHaveAttribute("tabindex", "0");
  expect(await screen.findByRole("region", { name: "Port 1/1/4" })).toHaveTextContent(port);
  // The user can close what the address opened.
  await user.click(tree.getByRole("treeitem", { name: /^MDA 1\/1/ }));
  await user.keyboard("{ArrowLeft}");
  await waitFor(() => expect(tree.queryByRole("treeitem", { name: /^Port 1\/1\/4/ })).toBeNull());
});

it("says that a part no longer exists", async () => {
  let id = "";
  renderApp(() => pb.elementPart(id, FDN.replace("cardSlot-2", "cardSlot-9")), {
    prepare: ({ elements: [element] }) => (id = element?.id ?? ""),
  });
  expect(await screen.findByRole("region", { name: "Part not found" })).toHaveTextContent(/cardSlot-9/);
});

it("leads from an alarm of a VNFC to its row, with what is in it open", async () => {
  renderApp(pb.alarms());
  await user.click(await screen.findByRole("link", { name: "edge-fra-1-iom-2" }));
  const vnfcs = within(await screen.findByRole("table", { name: "VNFCs" }));
  const row = vnfcs.getByRole("row", { name: /edge-fra-1-iom-2/, current: true });
  expect(row).toBeVisible();
  expect(vnfcs.getAllByRole("row", { current: true })).toHaveLength(1);
  expect(vnfcs.getByRole("table", { name: "Ports of edge-fra-1-iom-2" })).toBeVisible();
  await user.click(within(row).getByRole("button", { name: "Details" }));
  expect(within(row).getByRole("button", { name: "Details" })).toHaveAttribute("aria-expanded", "false");
});

it("says that a VNFC of which an alarm speaks is gone", async () => {
  let id = "";
  renderApp(() => pb.vnfcs(id, "gone"), { prepare: ({ instances: [first] }) => (id = first?.id ?? "") });
  expect(await screen.findByText(/VNFC not found/)).toBeVisible();
});

it("shows on the map what an alarm is of", async () => {
  renderApp(pb.alarms());
  await user.click(await screen.findByRole("link", { name: "Card down" }));
  const panel = within(await screen.findByRole("complementary", { name: "Card down" }));
  expect(await panel.findByRole("link", { name: "Card 2" })).toBeVisible();
  expect(panel.getByRole("link", { name: "Show on the map" })).toHaveAttribute(
    "href",
    expect.stringMatching(/^\/topology\?node=element%3A/),
  );
});
