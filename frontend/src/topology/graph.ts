import type { Edge, Node } from "@xyflow/react";
import type { InstanceNetwork, VnfInstance, Vnfc } from "@/api/types";
import { layout } from "./layout";

export type VnfcNode = Node<{ vnfc: Vnfc }, "vnfc">;
export type NetworkNode = Node<{ name: string; kind: string }, "network">;
export type TopologyNode = VnfcNode | NetworkNode;

export const VNFC_SIZE = { width: 208, height: 58 };
export const NETWORK_SIZE = { width: 184, height: 44 };

/** VNFCs and networks as a graph, left to right: control on the left of the fabric, data paths on its right. */
export function topologyOf(instance: VnfInstance): { nodes: TopologyNode[]; edges: Edge[] } {
  const used = instance.networks.filter((network) => instance.vnfcs.some((vnfc) => onNetwork(vnfc, network.id)));
  const edges: Edge[] = [];
  for (const vnfc of instance.vnfcs) {
    for (const port of vnfc.ports) {
      if (!used.some((network) => network.id === port.networkId)) continue;
      const control = !/^\d+$/.test(vnfc.slot);
      const [source, target] = control ? [vnfc.id, port.networkId] : [port.networkId, vnfc.id];
      edges.push({ id: port.id, source, target, ...edgeLook(port.vnicType) });
    }
  }
  const boxes = new Map([
    ...instance.vnfcs.map(({ id }) => [id, VNFC_SIZE] as const),
    ...used.map(({ id }) => [id, NETWORK_SIZE] as const),
  ]);
  const place = layout(boxes, edges);
  const nodes: TopologyNode[] = [
    ...instance.vnfcs.map((vnfc): VnfcNode => ({
      id: vnfc.id,
      type: "vnfc",
      data: { vnfc },
      ...place(vnfc.id),
      ariaLabel: `VNFC ${vnfc.name}, slot ${vnfc.slot || "none"}, ${vnfc.status}`,
    })),
    ...used.map((network): NetworkNode => ({
      id: network.id,
      type: "network",
      data: { name: network.name, kind: kindOf(network) },
      ...place(network.id),
      ariaLabel: `Network ${network.name}, ${instance.vnfcs.filter((vnfc) => onNetwork(vnfc, network.id)).length} VNFCs attached`,
    })),
  ];
  return { nodes, edges };
}

export const edgeLook = (vnicType: string): Pick<Edge, "focusable" | "className"> => ({
  focusable: false,
  className: vnicType === "direct" ? "vm-edge-direct" : "",
});

const kindOf = (network: InstanceNetwork): string => (network.external ? "existing" : "made by the stack");

const onNetwork = (vnfc: Vnfc, networkId: string): boolean => vnfc.ports.some((port) => port.networkId === networkId);
