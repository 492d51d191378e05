import dagre from "@dagrejs/dagre";
import type { Edge, Node } from "@xyflow/react";
import type { InstanceNetwork, VnfInstance, Vnfc } from "@/api/types";

export type VnfcNode = Node<{ vnfc: Vnfc }, "vnfc">;
export type NetworkNode = Node<{ network: InstanceNetwork; ports: number }, "network">;
export type TopologyNode = VnfcNode | NetworkNode;

export const VNFC_SIZE = { width: 208, height: 58 };
export const NETWORK_SIZE = { width: 184, height: 44 };

/** VNFCs and networks as a graph, left to right: control on the left of the fabric, data paths on its right. */
export function topologyOf(instance: VnfInstance): { nodes: TopologyNode[]; edges: Edge[] } {
  const layout = new dagre.graphlib.Graph().setGraph({ rankdir: "LR", nodesep: 22, ranksep: 90 });
  layout.setDefaultEdgeLabel(() => ({}));
  const used = instance.networks.filter((network) => instance.vnfcs.some((vnfc) => onNetwork(vnfc, network.id)));
  for (const vnfc of instance.vnfcs) layout.setNode(vnfc.id, { ...VNFC_SIZE });
  for (const network of used) layout.setNode(network.id, { ...NETWORK_SIZE });

  const edges: Edge[] = [];
  for (const vnfc of instance.vnfcs) {
    for (const port of vnfc.ports) {
      if (!used.some((network) => network.id === port.networkId)) continue;
      const control = !/^\d+$/.test(vnfc.slot);
      const [source, target] = control ? [vnfc.id, port.networkId] : [port.networkId, vnfc.id];
      layout.setEdge(source, target);
      edges.push({
        id: port.id,
        source,
        target,
        focusable: false,
        className: port.vnicType === "direct" ? "vm-edge-direct" : "",
      });
    }
  }
  dagre.layout(layout);
  keepOrder(layout, [...instance.vnfcs.map(({ id }) => id), ...used.map(({ id }) => id)]);

  const place = (id: string, size: { width: number; height: number }) => {
    const { x, y } = layout.node(id) as { x: number; y: number };
    return { position: { x: x - size.width / 2, y: y - size.height / 2 }, ...size };
  };
  const nodes: TopologyNode[] = [
    ...instance.vnfcs.map((vnfc): VnfcNode => ({
      id: vnfc.id,
      type: "vnfc",
      data: { vnfc },
      ...place(vnfc.id, VNFC_SIZE),
      ariaLabel: `VNFC ${vnfc.name}, slot ${vnfc.slot || "none"}, ${vnfc.status}`,
    })),
    ...used.map((network): NetworkNode => {
      const ports = instance.vnfcs.filter((vnfc) => onNetwork(vnfc, network.id)).length;
      return {
        id: network.id,
        type: "network",
        data: { network, ports },
        ...place(network.id, NETWORK_SIZE),
        ariaLabel: `Network ${network.name}, ${ports} VNFCs attached`,
      };
    }),
  ];
  return { nodes, edges };
}

/** Dagre places a rank's nodes as it likes; slot A belongs above slot B, also after the next refetch. */
function keepOrder(layout: InstanceType<typeof dagre.graphlib.Graph>, order: string[]): void {
  const at = (id: string) => layout.node(id) as { x: number; y: number };
  for (const rank of Map.groupBy(order, (id) => at(id).x).values()) {
    const heights = rank.map((id) => at(id).y).sort((a, b) => a - b);
    rank.forEach((id, index) => (at(id).y = heights[index] ?? at(id).y));
  }
}

const onNetwork = (vnfc: Vnfc, networkId: string): boolean => vnfc.ports.some((port) => port.networkId === networkId);
