import { expect, it } from "vitest";
import type { Equipment, Interface } from "@/api/types";
import { makeElement, makeEquipment } from "../../../mock-api/fixtures/elements";
import { lookOfInterface, lookOfPart, openAtFirst, rowsOf, treeOf } from "./equipment";

const element = makeElement({ name: "pe1" });

it("is ordered as in 5620 SAM: network, element, shelf, card, MDA, port", () => {
  const parts = makeEquipment(element, 1, 2);
  const tree = treeOf(element, parts);
  const rows = rowsOf(tree, openAtFirst(tree, parts));
  expect(rows.map(({ level, node }) => `${level} ${node.title}`)).toEqual([
    ...["1 Network", "2 pe1", "3 Shelf 1", "4 Card 1", "5 MDA 1/1", "6 Port 1/1/1", "6 Port 1/1/2"],
    ...["4 Control card A", "4 Control card B"],
  ]);
});

it("keeps the ports of a large element folded, and counts what is wrong below", () => {
  const parts = makeEquipment(element, 20, 50);
  const tree = treeOf(element, parts);
  const rows = rowsOf(tree, openAtFirst(tree, parts));
  expect(parts.length).toBeGreaterThan(900);
  expect(rows.length).toBeLessThan(60);
  expect(tree.failed).toBe(1);
});

it("hangs a part without a parent on the element", () => {
  const [shelf, ...others] = makeEquipment(element, 1, 0);
  const tree = treeOf(element, others);
  expect(shelf?.equipmentClass).toBe("CHASSIS");
  expect(tree.children[0]?.children.map(({ title }) => title)).toEqual(["Card 1", "Control card A", "Control card B"]);
});

it.each([
  ["DOWN", "OUT_OF_SERVICE", "Shut down", "grey"],
  ["UP", "OUT_OF_SERVICE", "Out of service", "red"],
  ["DOWN", "UNKNOWN", "Unknown", "grey"],
  ["DOWN", "FAILED", "Failed", "red"],
  ["DOWN", "EMPTY", "Empty", "grey"],
  ["UP", "MISSING", "Missing", "red"],
] as const)(
  "a part whose administrative state is %s and that is %s is %s, in %s",
  (adminState, operState, text, color) => {
    expect(lookOfPart({ adminState, operState } as Equipment)).toMatchObject({ text, color });
  },
);

it.each([
  ["DOWN", "DOWN", "Shut down", "grey"],
  ["UP", "DOWN", "Down", "red"],
  ["DOWN", "NOT_PRESENT", "Not present", "grey"],
] as const)(
  "an interface whose administrative state is %s and that is %s is %s",
  (adminState, operState, text, color) => {
    expect(lookOfInterface({ adminState, operState } as Interface)).toMatchObject({ text, color });
  },
);
