import "@xyflow/react/dist/style.css";
import { Background, Controls, Handle, Position, ReactFlow, type Edge, type Node, type NodeTypes } from "@xyflow/react";
import NetworkIcon from "@patternfly/react-icons/dist/esm/icons/network-icon";
import type { ReactNode } from "react";
import { useIsDark } from "@/ui/theme";

/** A box with its two ends, where edges come in and go out. */
export function Box({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div className={`vm-node ${className}`}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      {children}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}

export function NetworkBox({ data: { name, kind } }: { data: { name: string; kind: string } }) {
  return (
    <Box className="vm-node-network">
      <NetworkIcon />
      <span className="vm-node-text">
        <strong>{name}</strong>
        <span className="vm-quiet">{kind}</span>
      </span>
    </Box>
  );
}

interface Props {
  nodes: Node[];
  edges: Edge[];
  nodeTypes: NodeTypes;
}

/** A drawing to look at. Every box takes the keyboard's focus and says what it is. */
export function Canvas({ nodes, edges, nodeTypes }: Props) {
  const dark = useIsDark();
  return (
    <div className="vm-topology" role="region" aria-label="Topology">
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
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
