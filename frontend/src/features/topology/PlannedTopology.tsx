import type { NodeProps } from "@xyflow/react";
import { useMemo } from "react";
import type { Descriptor, Flavour } from "@/api/types";
import { Box, Canvas, NetworkBox } from "./Canvas";
import type { PlannedVnfc } from "./planned";
import { plannedGraph, type VduNode } from "./plannedGraph";

function VduBox({ data: { badge, name, needs } }: NodeProps<VduNode>) {
  return (
    <Box className="vm-edge-blue">
      <span className="vm-slot">{badge}</span>
      <span className="vm-node-text">
        <strong>{name}</strong>
        <span className="vm-quiet vm-node-needs" title={needs}>
          {needs}
        </span>
      </span>
    </Box>
  );
}

const NODE_TYPES = { vdu: VduBox, network: NetworkBox };

interface Props {
  vnfd: Descriptor;
  flavour: Flavour;
  vnfcs: readonly PlannedVnfc[];
}

export default function PlannedTopology({ vnfd, flavour, vnfcs }: Props) {
  const { nodes, edges } = useMemo(() => plannedGraph(vnfd, flavour, vnfcs), [vnfd, flavour, vnfcs]);
  return <Canvas nodes={nodes} edges={edges} nodeTypes={NODE_TYPES} />;
}
