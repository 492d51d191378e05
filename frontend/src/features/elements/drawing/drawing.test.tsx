import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { alarm, type Db } from "../../../../mock-api/db";
import type { Equipment } from "@/api/types";
import { treeOf } from "@/features/elements/equipment";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import { partText } from "./partLook";
import { drawnOrder, shelvesOf } from "./shelf";

vi.setConfig({ testTimeout: 20_000 });
const user = userEvent.setup();

function drawn(prepare: (db: Db, parts: Equipment[]) => void = () => undefined) {
  let id = "";
  return renderApp(() => pb.elementDrawing(id), {
    prepare: (db) => {
      const element = db.elements.find(({ name }) => name === "fra-pe-1");
      if (!element) throw new Error("The mock has fra-pe-1.");
      id = element.id;
      prepare(db, db.equipment.get(id) ?? []);
    },
  });
}
const drawing = () => screen.findByRole("tree", { name: "Drawing of fra-pe-1" });

it("draws the slots of a 7750 SR-12, its cards, MDAs and ports with their states", async () => {
  drawn();
  const tree = await drawing();
  expect(within(tree).getByRole("treeitem", { name: /^Shelf 1, 7750 SR-12, in service/ })).toBeVisible();
  expect(within(tree).getByRole("treeitem", { name: /^Card 2, iom3-xp-b, provisioned, missing/ })).toBeVisible();
  expect(within(tree).getByRole("treeitem", { name: /^Port 1\/1\/1, 10-Gig Ethernet/ })).toBeVisible();
  expect(within(tree).getByTitle("Slot 10: not listed")).toHaveAttribute("aria-hidden", "true");
});

it("marks a port and all that it is in by its worst alarm", async () => {
  drawn((db, parts) => {
    const port = parts.find(({ name }) => name === "1/1/1");
    const element = db.elements.find(({ name }) => name === "fra-pe-1");
    if (!port || !element) throw new Error("fra-pe-1 has port 1/1/1.");
    db.alarms = [
      alarm(element, {
        ...{ managedObjectType: "NETWORK_ELEMENT", faultyResource: port.fdn, perceivedSeverity: "CRITICAL" },
      }),
    ];
  });
  const tree = await drawing();
  const marked = /, alarms: 1, worst critical$/;
  await waitFor(() => expect(within(tree).getAllByRole("treeitem", { name: marked })).toHaveLength(4));
  expect(within(tree).getByRole("treeitem", { name: /^Port 1\/1\/1,.* worst critical$/ })).toHaveTextContent("C");
});

it("goes by arrow keys into a card, and chooses a part by Enter", async () => {
  const { router } = drawn();
  const tree = await drawing();
  await user.click(within(tree).getByRole("treeitem", { name: /^Card 1,/ }));
  await user.keyboard("{ArrowDown}{ArrowDown}{ArrowRight}");
  expect(within(tree).getByRole("treeitem", { name: /^Port 1\/1\/2,/ })).toHaveFocus();
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("region", { name: "Port 1/1/2" })).toBeVisible();
  expect(router.state.location.search).toContain("equipment=drawing");
  await user.keyboard("{ArrowUp}{ArrowUp}");
  expect(within(tree).getByRole("treeitem", { name: /^Card 1,/ })).toHaveFocus();
  expect(
    within(tree)
      .getAllByRole("treeitem")
      .filter((item) => item.tabIndex === 0),
  ).toHaveLength(1);
});

it("switches between tree and drawing, with the same part chosen", async () => {
  drawn();
  await user.click(within(await drawing()).getByRole("treeitem", { name: /^Port 1\/1\/1,/ }));
  await user.click(screen.getByRole("button", { name: "Tree" }));
  expect(await screen.findByRole("treeitem", { name: /^Port 1\/1\/1/, selected: true })).toBeVisible();
});

const part = (patch: Partial<Equipment>): Equipment => ({
  ...{ elementId: "e", elementName: "e", equipmentClass: "PORT", slot: "", name: "", type: "", serialNumber: "" },
  ...{ fdn: "", parentFdn: "", softwareVersion: "", adminState: "UP", operState: "IN_SERVICE" },
  ...{ lastOperState: "IN_SERVICE", reason: "", since: "", unknownSince: null, vnfcId: null, ifIndex: null, extra: {} },
  ...patch,
});
const none = { severity: undefined, count: 0, unknown: false };

it("says of what cannot be read that it is unknown, and what it was last", () => {
  const lost = part({ operState: "UNKNOWN", lastOperState: "IN_SERVICE", unknownSince: "2026-11-01T00:00:00Z" });
  expect(partText("Port 1", lost, none)).toBe("Port 1, unknown, last in service");
  expect(partText("Port 1", part({}), { ...none, unknown: true })).toBe("Port 1, in service, alarms unknown");
  expect(partText("Port 1", part({ adminState: "DOWN", operState: "OUT_OF_SERVICE" }), none)).toBe("Port 1, shut down");
  expect(partText("Port 1", part({ adminState: "DOWN", operState: "FAILED" }), none)).toBe("Port 1, out of service");
});

const element = { id: "e", name: "e", managementAddress: "192.0.2.1" } as Parameters<typeof treeOf>[0];
const shelvesFrom = (parts: Equipment[], type = "") =>
  shelvesOf(treeOf(element, parts).children[0] ?? treeOf(element, parts), type);

it("draws rows of ports where a router has no cards", () => {
  const root = "network:192.0.2.1";
  const ports = ["eth0", "eth1"].map((name) => part({ fdn: `${root}:${name}`, parentFdn: root, name }));
  const [shelf] = shelvesFrom(ports);
  expect(shelf?.node).toBeUndefined();
  expect(shelf?.ports.map(({ part: port }) => port?.name)).toEqual(["eth0", "eth1"]);
});

it("stands CPMs in the middle of an SR-12, and after the cards of what it does not know", () => {
  const shelf = "network:192.0.2.1:shelf-1";
  const board = (slot: string, equipmentClass: Equipment["equipmentClass"]) =>
    part({ fdn: `${shelf}:cardSlot-${slot}:card`, parentFdn: shelf, slot, name: slot, equipmentClass });
  const parts = [
    part({ fdn: shelf, parentFdn: "network:192.0.2.1", equipmentClass: "CHASSIS", name: "1" }),
    ...[board("A", "CPM"), board("1", "CARD"), board("11", "CARD")],
  ];
  const slots = (type: string) =>
    shelvesFrom(parts, type)[0]?.slots.map(({ slot, board: there }) => slot + (there ? "" : "?"));
  expect(slots("7750 SR-12")?.join(" ")).toBe("1 2? 3? 4? 5? A B? 6? 7? 8? 9? 10? 11");
  expect(slots("NE9000-8")?.join(" ")).toBe("1 11 A");
  const fabric = parts.map((each) => (each.equipmentClass === "CPM" ? { ...each, type: "sfm4-12" } : each));
  expect(shelvesFrom(fabric, "7750 SR")[0]?.slots).toHaveLength(13); // This test adds slot 11.
  expect(drawnOrder(shelvesFrom(parts)).map(({ level }) => level)).toEqual([1, 2, 2, 2]);
});
