import { plural, t } from "@lingui/core/macro";
import type { Edge, Node } from "@xyflow/react";
import type { InstanceNetwork, Port, VnfInstance, Vnfc } from "@/api/types";
import { alarmWords, type VnfcAlarms } from "@/instance/vnfc-alarms";
import { portStatus, serverStatus, SEVERITY } from "@/ui/states";
import { layout } from "./layout";

export type VnfcNode = Node<{ vnfc: Vnfc; alarms: VnfcAlarms }, "vnfc">;
export type NetworkNode = Node<{ name: string; kind: string }, "network">;
export type TopologyNode = VnfcNode | NetworkNode;

export const VNFC_SIZE = { width: 208, height: 76 };
export const NETWORK_SIZE = { width: 184, height: 44 };

/** VNFCs and networks as a graph, left to right: control on the left of the fabric, data paths on its right. */
export function topologyOf(
  instance: VnfInstance,
  alarmsOf: (vnfcId: string) => VnfcAlarms,
): { nodes: TopologyNode[]; edges: Edge[] } {
  const used = instance.networks.filter((network) => instance.vnfcs.some((vnfc) => onNetwork(vnfc, network.id)));
  const edges: Edge[] = [];
  for (const vnfc of instance.vnfcs) {
    for (const port of vnfc.ports) {
      const network = used.find(({ id }) => id === port.networkId);
      if (!network) continue;
      const control = !/^\d+$/.test(vnfc.slot);
      const [source, target] = control ? [vnfc.id, port.networkId] : [port.networkId, vnfc.id];
      edges.push({ id: port.id, source, target, ...portEdge(port, vnfc, network) });
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
      data: { vnfc, alarms: alarmsOf(vnfc.id) },
      ...place(vnfc.id),
      ariaLabel: [
        t`VNFC ${vnfc.name}, slot ${vnfc.slot || t`none`}, ${serverStatus(vnfc.status).text}`,
        ...saidOf(alarmsOf(vnfc.id)),
      ].join(", "),
    })),
    ...used.map((network): NetworkNode => ({
      id: network.id,
      type: "network",
      data: { name: network.name, kind: kindOf(network) },
      ...place(network.id),
      ariaLabel: networkWords(network, instance.vnfcs.filter((vnfc) => onNetwork(vnfc, network.id)).length),
    })),
  ];
  return { nodes, edges };
}

const networkWords = ({ name }: InstanceNetwork, attached: number): string =>
  t`Network ${name}, ${plural(attached, { one: "# VNFC", other: "# VNFCs" })} attached`;

function saidOf(alarms: VnfcAlarms): string[] {
  if (typeof alarms === "string") return alarms === "UNKNOWN" ? [t`alarms unknown`] : [];
  return alarms.worst ? [t`${alarmWords(alarms)}, worst ${SEVERITY[alarms.worst].text.toLowerCase()}`] : [];
}

/** A line by what its port is in: solid while it is up, dashed and named where it is not, dotted where nobody knows. */
function portEdge(port: Port, vnfc: Vnfc, network: InstanceNetwork): Omit<Edge, "id" | "source" | "target"> {
  const { text, color } = portStatus(port.status);
  const up = port.status === "ACTIVE";
  const state = up ? "" : `vm-port-${color === "grey" ? "unknown" : "down"} vm-edge-${color}`;
  return {
    className: `${port.vnicType === "direct" ? "vm-edge-direct" : ""} ${state}`.trim(),
    ...(up ? {} : { label: text }),
    ariaLabel: t`Port ${port.cpId || port.id} of ${vnfc.name} on ${network.name}: ${text}`,
  };
}

export const edgeLook = (vnicType: string): Pick<Edge, "focusable" | "className"> => ({
  focusable: false,
  className: vnicType === "direct" ? "vm-edge-direct" : "",
});

export const kindOf = (network: InstanceNetwork): string => (network.external ? t`existing` : t`made by the stack`);

const onNetwork = (vnfc: Vnfc, networkId: string): boolean => vnfc.ports.some((port) => port.networkId === networkId);
