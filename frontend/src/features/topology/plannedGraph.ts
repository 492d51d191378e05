import { plural, t } from "@lingui/core/macro";
import type { Edge, Node } from "@xyflow/react";
import type { Descriptor, Flavour } from "@/api/types";
import { needsText } from "@/ui/format";
import { edgeLook, NETWORK_SIZE, type NetworkNode } from "./networkNode";
import { layout } from "./layout";
import { isFixed, linkKind, type PlannedVnfc } from "./planned";

export type VduNode = Node<{ badge: string; name: string; needs: string }, "vdu">;

const VDU_SIZE = { width: 232, height: 58 };
/** Above this number of VNFCs, those with the same links share a box. */
const ONE_BY_ONE = 8;

const boxOf = (linkId: string): string => `link ${linkId}`;

const wiring = ({ vdu, ports }: PlannedVnfc): string => [vdu.id, ...ports.map((port) => port.linkId)].join(" ");

/** Fixed VDUs stand left of internal networks, scalable ones right of them, and external networks at the end. */
export function plannedGraph(vnfd: Descriptor, flavour: Flavour, vnfcs: readonly PlannedVnfc[]) {
  const groups = vnfcs.length > ONE_BY_ONE ? [...Map.groupBy(vnfcs, wiring).values()] : vnfcs.map((vnfc) => [vnfc]);
  const used = vnfd.virtualLinks.filter((link) => vnfcs.some((vnfc) => onLink(vnfc, link.id)));
  const edges = groups.flatMap(([first]) => (first ? edgesOf(vnfd, first) : []));
  const boxes = new Map([
    ...groups.map(([first]) => [first?.id ?? "", VDU_SIZE] as const),
    ...used.map(({ id }) => [boxOf(id), NETWORK_SIZE] as const),
  ]);
  const place = layout(boxes, edges);
  const nodes: (VduNode | NetworkNode)[] = [
    ...groups.flatMap((group): VduNode[] => {
      const [first] = group;
      if (!first) return [];
      const { vdu } = first;
      const title =
        group.length > 1
          ? t`${vdu.name}, ${group.length} VNFCs, ${slotsText(group)}`
          : t`Slot ${first.slot} (${vdu.name})`;
      const needs = needsText(flavour.needs[vdu.id] ?? vdu.needs);
      return [
        {
          ...{ id: first.id, type: "vdu", ...place(first.id) },
          data: { badge: group.length > 1 ? `× ${group.length}` : first.slot, name: vdu.name, needs },
          ariaLabel: t`${title}, ${plural(first.ports.length, { one: "# port", other: "# ports" })}; ${needs}`,
        },
      ];
    }),
    ...used.map((link): NetworkNode => {
      const attached = vnfcs.filter((vnfc) => onLink(vnfc, link.id)).length;
      return {
        ...{ id: boxOf(link.id), type: "network", ...place(boxOf(link.id)) },
        data: { name: link.name, kind: linkKind(link) },
        ariaLabel: link.internal
          ? t`Internal network ${link.name}, ${plural(attached, { one: "# VNFC", other: "# VNFCs" })} attached`
          : t`External network ${link.name}, ${plural(attached, { one: "# VNFC", other: "# VNFCs" })} attached`,
      };
    }),
  ];
  return { nodes, edges };
}

function edgesOf(vnfd: Descriptor, { id, vdu, ports }: PlannedVnfc): Edge[] {
  return ports.map(({ cpId, linkId, vnicType, outward }) => {
    const link = vnfd.virtualLinks.find((each) => each.id === linkId);
    const right = outward || isFixed(vdu) || link?.internal === false;
    const [source, target] = right ? [id, boxOf(linkId)] : [boxOf(linkId), id];
    return { id: `${id} ${cpId}`, source, target, ...edgeLook(vnicType) };
  });
}

/** "slots 1, 2, 7" */
const slotsText = (group: readonly PlannedVnfc[]): string => t`slots ${group.map(({ slot }) => slot).join(", ")}`;

const onLink = (vnfc: PlannedVnfc, linkId: string): boolean => vnfc.ports.some((port) => port.linkId === linkId);
