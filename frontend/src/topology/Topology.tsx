import type { NodeProps } from "@xyflow/react";
import { useMemo } from "react";
import type { VnfInstance } from "@/api/types";
import { serverStatus } from "@/ui/states";
import { Box, Canvas, NetworkBox } from "./Canvas";
import { topologyOf, type VnfcNode } from "./graph";

function VnfcBox({ data: { vnfc } }: NodeProps<VnfcNode>) {
  const look = serverStatus(vnfc.status);
  const Icon = look.icon;
  return (
    <Box className={`vm-edge-${look.color}`}>
      <span className="vm-slot">{vnfc.slot || "—"}</span>
      <span className="vm-node-text">
        <strong>{vnfc.name}</strong>
        <span className={`vm-node-state vm-color-${look.color}`}>
          <Icon /> {look.text}
        </span>
      </span>
    </Box>
  );
}

const NODE_TYPES = { vnfc: VnfcBox, network: NetworkBox };

/** VNFCs and the networks they share. */
export default function Topology({ instance }: { instance: VnfInstance }) {
  const { nodes, edges } = useMemo(() => topologyOf(instance), [instance]);
  if (nodes.length === 0)
    return <p className="vm-quiet">There is nothing to draw while the instance is not instantiated.</p>;
  return <Canvas nodes={nodes} edges={edges} nodeTypes={NODE_TYPES} />;
}
