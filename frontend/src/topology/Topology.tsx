import "@xyflow/react/dist/style.css";
import { Background, Controls, Handle, Position, ReactFlow, type NodeProps } from "@xyflow/react";
import NetworkIcon from "@patternfly/react-icons/dist/esm/icons/network-icon";
import { useMemo } from "react";
import type { VnfInstance } from "@/api/types";
import { serverStatus } from "@/ui/states";
import { useIsDark } from "@/ui/theme";
import { topologyOf, type NetworkNode, type VnfcNode } from "./graph";

function VnfcBox({ data: { vnfc } }: NodeProps<VnfcNode>) {
  const look = serverStatus(vnfc.status);
  const Icon = look.icon;
  return (
    <div className={`vm-node vm-edge-${look.color}`}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <span className="vm-slot">{vnfc.slot || "—"}</span>
      <span className="vm-node-text">
        <strong>{vnfc.name}</strong>
        <span className={`vm-node-state vm-color-${look.color}`}>
          <Icon /> {look.text}
        </span>
      </span>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}

function NetworkBox({ data: { network } }: NodeProps<NetworkNode>) {
  return (
    <div className="vm-node vm-node-network">
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <NetworkIcon />
      <span className="vm-node-text">
        <strong>{network.name}</strong>
        <span className="vm-quiet">{network.external ? "existing" : "made by the stack"}</span>
      </span>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}

const NODE_TYPES = { vnfc: VnfcBox, network: NetworkBox };

/** VNFCs and the networks they share. Every box takes the keyboard's focus and says what it is. */
export default function Topology({ instance }: { instance: VnfInstance }) {
  const dark = useIsDark();
  const { nodes, edges } = useMemo(() => topologyOf(instance), [instance]);
  if (nodes.length === 0)
    return <p className="vm-quiet">There is nothing to draw while the instance is not instantiated.</p>;
  return (
    <div className="vm-topology" role="region" aria-label="Topology">
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        colorMode={dark ? "dark" : "light"}
        fitView
        fitViewOptions={{ padding: 0.1, maxZoom: 1.1 }}
        minZoom={0.2}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        elementsSelectable
        preventScrolling={false}
        zoomOnScroll={false}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={20} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}
