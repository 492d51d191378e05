import type { Equipment } from "@/api/types";
import type { TreeNode } from "@/features/elements/equipment";

/** `undefined` is a slot for which the element lists no board. */
export interface SlotPlace {
  slot: string;
  board: TreeNode | undefined;
}
export interface Shelf {
  fdn: string;
  /** Undefined for parts outside any shelf. */
  node: TreeNode | undefined;
  slots: readonly SlotPlace[];
  /** Ports outside cards are those of a router with fixed ports. */
  ports: readonly TreeNode[];
  /** Fans, power supplies and other parts without a slot. */
  others: readonly TreeNode[];
}

/**
 * A chassis is identified by its type, or by that of its switch fabric, which fits one chassis only, because
 * software up to 13.0 calls each chassis "7750 SR". These slots from left to right are used if the element does not
 * list them all. 7750 SR-12: ten slots for I/O cards with the two of the CPMs in their middle; 7750 SR-7: five and
 * two (Nokia, 7750 SR chassis installation guides).
 */
const SLOT_ORDER: readonly (readonly [type: RegExp, slots: readonly string[]])[] = [
  [/\b(?:SR-|sfm\d?-)12\b/i, ["1", "2", "3", "4", "5", "A", "B", "6", "7", "8", "9", "10"]],
  [/\b(?:SR-|sfm\d?-)7\b/i, ["1", "2", "3", "A", "B", "4", "5"]],
];

const BOARDS: ReadonlySet<string> = new Set<Equipment["equipmentClass"]>(["CARD", "CPM", "FABRIC"]);
const isPort = ({ part }: TreeNode): boolean => part?.equipmentClass === "PORT";
const isBoard = ({ part }: TreeNode): boolean => BOARDS.has(part?.equipmentClass ?? "");
const CONTROL: ReadonlySet<string> = new Set(["CPM", "FABRIC"]);
const isControl = ({ part }: TreeNode): boolean => CONTROL.has(part?.equipmentClass ?? "");

const slotOf = ({ part, title }: TreeNode): string => part?.slot || part?.name || title;

/** Includes ports inside connectors. */
export const portsIn = (node: TreeNode): TreeNode[] =>
  node.children.flatMap((child) => (isPort(child) ? [child, ...portsIn(child)] : []));
export const modulesIn = (node: TreeNode): TreeNode[] => node.children.filter((child) => !isPort(child));

function slotsOf(boards: readonly TreeNode[], type: string): SlotPlace[] {
  const types = [type, ...boards.filter(isControl).map(({ part }) => part?.type ?? "")];
  const order = SLOT_ORDER.find(([pattern]) => types.some((each) => pattern.test(each)))?.[1];
  if (!order) {
    const sorted = [...boards.filter((board) => !isControl(board)), ...boards.filter(isControl)];
    return sorted.map((board) => ({ slot: slotOf(board), board }));
  }
  const known = order.map((slot) => ({ slot, board: boards.find((board) => slotOf(board) === slot) }));
  const drawn = new Set(known.map(({ board }) => board));
  return [...known, ...boards.filter((board) => !drawn.has(board)).map((board) => ({ slot: slotOf(board), board }))];
}

function shelfOf(fdn: string, node: TreeNode | undefined, parts: readonly TreeNode[], type: string): Shelf {
  return {
    fdn,
    node,
    slots: slotsOf(parts.filter(isBoard), type),
    ports: parts.flatMap((part) => (isPort(part) ? [part, ...portsIn(part)] : [])),
    others: parts.filter((part) => !isBoard(part) && !isPort(part)),
  };
}

/** Parts outside shelves are drawn as one shelf without a frame. */
export function shelvesOf(element: TreeNode, chassisType: string): Shelf[] {
  const isShelf = ({ part }: TreeNode) => part?.equipmentClass === "CHASSIS";
  const shelves = element.children
    .filter(isShelf)
    .map((node) => shelfOf(node.fdn, node, node.children, node.part?.type || chassisType));
  const loose = element.children.filter((child) => !isShelf(child));
  return loose.length > 0 ? [...shelves, shelfOf(element.fdn, undefined, loose, "")] : shelves;
}

/** Arrow keys go through the FDNs in this order; levels count from 1. */
export function drawnOrder(shelves: readonly Shelf[]): { fdn: string; level: number }[] {
  const moduleLines = (node: TreeNode, level: number): { fdn: string; level: number }[] => [
    { fdn: node.fdn, level },
    ...modulesIn(node).flatMap((each) => moduleLines(each, level + 1)),
    ...portsIn(node).map(({ fdn }) => ({ fdn, level: level + 1 })),
  ];
  return shelves.flatMap(({ node, slots, ports, others }) => {
    const level = node ? 2 : 1;
    return [
      ...(node ? [{ fdn: node.fdn, level: 1 }] : []),
      ...slots.flatMap(({ board }) => (board ? moduleLines(board, level) : [])),
      ...ports.map(({ fdn }) => ({ fdn, level })),
      ...others.flatMap((each) => moduleLines(each, level)),
    ];
  });
}
