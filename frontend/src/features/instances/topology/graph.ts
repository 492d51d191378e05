import { plural, t } from "@lingui/core/macro";
import type { Edge, Node } from "@xyflow/react";
import type { MapState } from "@/api/topology";
import type { InstanceNetwork, Port, VnfInstance, Vnfc } from "@/api/types";
import { alarmWords, type VnfcAlarms } from "@/features/instances/vnfcAlarms";
import { MAP_STATE, portStatus, serverStatus, SEVERITY } from "@/ui/states";
import { layout, type Place } from "@/features/topology/layout";
import { NETWORK_SIZE, type NetworkNode } from "@/features/topology/networkNode";

export type VnfcNode = Node<{ vnfc: Vnfc; alarms: VnfcAlarms }, "vnfc">;
type TopologyNode = VnfcNode | NetworkNode;

const VNFC_SIZE = { width: 208, height: 76 };
/** A live network has one more line, for its state. */
const LIVE_NETWORK_SIZE = { ...NETWORK_SIZE, height: 64 };

/** Control VNFCs stand left of the fabric, data paths right of it. */
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
    ...used.map(({ id }) => [id, LIVE_NETWORK_SIZE] as const),
  ]);
  const place = layout(boxes, edges);
  const nodes: TopologyNode[] = [
    ...instance.vnfcs.map((vnfc): VnfcNode => ({
      id: vnfc.id,
      type: "vnfc",
      data: { vnfc, alarms: alarmsOf(vnfc.id) },
      ...place(vnfc.id),
      ariaLabel: [
        t`VNFC ${vnfc.name}, ${vnfc.title}, ${serverStatus(vnfc.status).text}`,
        ...alarmLabel(alarmsOf(vnfc.id)),
      ].join(", "),
    })),
    ...used.map((network) => networkNode(network, instance.vnfcs, place(network.id))),
  ];
  return { nodes, edges };
}

function networkNode(network: InstanceNetwork, vnfcs: readonly Vnfc[], place: Place): NetworkNode {
  const { id, name } = network;
  const state = networkState(id, vnfcs);
  const attached = vnfcs.filter((vnfc) => onNetwork(vnfc, id)).length;
  return {
    ...{ id, type: "network", ...place },
    data: { name, kind: kindOf(network), state },
    ariaLabel: t`Network ${name}, ${MAP_STATE[state].text}, ${plural(attached, { one: "# VNFC", other: "# VNFCs" })} attached`,
  };
}

/** Other statuses of Neutron's, such as N/A, say nothing. */
const PORT_STATE: Record<string, MapState> = {
  ACTIVE: "UP",
  BUILD: "CHANGING",
  DOWN: "DOWN",
  ERROR: "DOWN",
  MISSING: "DOWN",
};

/** The map's rule on the server: a network is down if all its ports are, degraded if some are. */
export function networkState(networkId: string, vnfcs: readonly Vnfc[]): MapState {
  const ports = vnfcs.flatMap((vnfc) => vnfc.ports).filter((port) => port.networkId === networkId);
  const states = ports.map(({ status }) => PORT_STATE[status.toUpperCase()] ?? "UNKNOWN");
  if (states.includes("DOWN")) return states.every((state) => state === "DOWN") ? "DOWN" : "DEGRADED";
  if (states.length === 0 || states.includes("UNKNOWN")) return "UNKNOWN";
  return states.includes("CHANGING") ? "CHANGING" : "UP";
}

function alarmLabel(alarms: VnfcAlarms): string[] {
  if (typeof alarms === "string") return alarms === "UNKNOWN" ? [t`alarms unknown`] : [];
  return alarms.worst ? [t`${alarmWords(alarms)}, worst ${SEVERITY[alarms.worst].text.toLowerCase()}`] : [];
}

/** A line is solid if the port is up, dashed with the state if it is not, dotted if it is unknown. */
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

export const kindOf = (network: InstanceNetwork): string => (network.external ? t`existing` : t`created by the stack`);

const onNetwork = (vnfc: Vnfc, networkId: string): boolean => vnfc.ports.some((port) => port.networkId === networkId);
