import { t } from "@lingui/core/macro";
import { NETWORK_FDN } from "@/api/network";
import type { TreeLine } from "@/ui/RowTree";
import { ADMIN_STATE, EQUIPMENT_STATE, INTERFACE_STATUS, type Look } from "@/ui/states";
import type { Equipment, EquipmentClass, EquipmentState, Interface, NetworkElement } from "@/api/types";

/** The tree is: network → network element → shelf → card → MDA → port. */
export interface TreeNode {
  fdn: string;
  title: string;
  part?: Equipment;
  children: TreeNode[];
  /** Number of parts below that should be in service and are not. */
  failed: number;
}

export const fdnOf = (element: NetworkElement): string => `${NETWORK_FDN}:${element.managementAddress}`;

const CLASS_TEXT: Record<EquipmentClass, string> = {
  CHASSIS: t`Shelf`,
  CARD: t`Card`,
  CPM: t`Control card`,
  MDA: "MDA",
  PORT: t`Port`,
  FAN: t`Fan`,
  POWER_SUPPLY: t`Power supply`,
  FABRIC: t`Fabric`,
  OTHER: t`Part`,
};

/** Elements use these English words in the names of their parts. */
const OWN_WORD: Record<EquipmentClass, string> = {
  CHASSIS: "shelf",
  CARD: "card",
  CPM: "control card",
  MDA: "mda",
  PORT: "port",
  FAN: "fan",
  POWER_SUPPLY: "power supply",
  FABRIC: "fabric",
  OTHER: "part",
};

const HEALTHY: ReadonlySet<EquipmentState> = new Set(["IN_SERVICE", "EMPTY", "UNKNOWN"]);
const isFailed = ({ adminState, operState }: Equipment): boolean => adminState !== "DOWN" && !HEALTHY.has(operState);

const SHUT_DOWN: Look = { ...ADMIN_STATE.DOWN, text: t`Shut down` };

/** A part that was shut down is out of service without being at fault. */
export const lookOfPart = ({ adminState, operState }: Equipment): Look =>
  adminState === "DOWN" && operState === "OUT_OF_SERVICE" ? SHUT_DOWN : EQUIPMENT_STATE[operState];
export const lookOfInterface = ({ adminState, operState }: Interface): Look =>
  adminState === "DOWN" && operState === "DOWN" ? SHUT_DOWN : INTERFACE_STATUS[operState];

/** "Card 1": the class is added unless the element's own name contains it, or is only "Slot 1". */
export function titleOf({ equipmentClass, name, slot }: Equipment): string {
  const own = name.replace(/^slot\s+/i, "") || slot;
  return own.toLowerCase().includes(OWN_WORD[equipmentClass]) ? own : `${CLASS_TEXT[equipmentClass]} ${own}`.trim();
}

const inOrder = (a: TreeNode, b: TreeNode): number => a.fdn.localeCompare(b.fdn, undefined, { numeric: true });

function count(node: TreeNode): number {
  node.children.sort(inOrder);
  node.failed = node.children.reduce(
    (sum, child) => sum + count(child) + (child.part && isFailed(child.part) ? 1 : 0),
    0,
  );
  return node.failed;
}

/** A part whose parent is not listed becomes a child of the element. */
export function treeOf(element: NetworkElement, parts: readonly Equipment[]): TreeNode {
  const root: TreeNode = { fdn: fdnOf(element), title: element.name, children: [], failed: 0 };
  const nodes = new Map<string, TreeNode>([[root.fdn, root]]);
  for (const part of parts) nodes.set(part.fdn, { fdn: part.fdn, title: titleOf(part), part, children: [], failed: 0 });
  for (const part of parts) {
    const node = nodes.get(part.fdn);
    if (node) (nodes.get(part.parentFdn) ?? root).children.push(node);
  }
  const network: TreeNode = { fdn: NETWORK_FDN, title: t`Network`, children: [root], failed: 0 };
  count(network);
  return network;
}

const FEW = 100;
/** A small element is opened completely, a large one down to the ports. */
export function openAtFirst(tree: TreeNode, parts: readonly Equipment[]): Set<string> {
  const open = new Set([NETWORK_FDN, ...tree.children.map(({ fdn }) => fdn)]);
  const leaves = new Set<EquipmentClass>(parts.length > FEW ? ["MDA", "PORT"] : []);
  for (const part of parts) if (!leaves.has(part.equipmentClass)) open.add(part.fdn);
  return open;
}

/** The nearest parent comes first. An element may report a circle of parents. */
export function above(fdn: string, parts: readonly Equipment[]): string[] {
  const parents = new Map(parts.map((part) => [part.fdn, part.parentFdn]));
  const found: string[] = [];
  for (let up = parents.get(fdn); up !== undefined && !found.includes(up); up = parents.get(up)) found.push(up);
  return found;
}

interface TreeRow extends TreeLine {
  node: TreeNode;
}

const TOP = { level: 1, parent: undefined, place: 1, siblings: 1 } as const;

/** `tree` is on this level below that parent. */
export function rowsOf(
  tree: TreeNode,
  open: ReadonlySet<string>,
  { level, ...base }: Pick<TreeLine, "level" | "parent" | "place" | "siblings"> = TOP,
): TreeRow[] {
  const { fdn: id, title: text, children } = tree;
  const isOpen = children.length === 0 ? undefined : open.has(id);
  const siblings = children.length;
  return [
    { id, text, node: tree, level, isOpen, ...base },
    ...(isOpen
      ? children.flatMap((each, index) =>
          rowsOf(each, open, { level: level + 1, parent: id, place: index + 1, siblings }),
        )
      : []),
  ];
}
