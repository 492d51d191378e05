import type { Edge, Node } from "@xyflow/react";
import type { MapState } from "@/api/topology";

/** A planned network has no state. */
export type NetworkNode = Node<{ name: string; kind: string; state?: MapState }, "network">;
export const NETWORK_SIZE = { width: 184, height: 44 };

export const edgeLook = (vnicType: string): Pick<Edge, "focusable" | "className"> => ({
  focusable: false,
  className: vnicType === "direct" ? "vm-edge-direct" : "",
});
