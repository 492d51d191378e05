import { t } from "@lingui/core/macro";
import "@xyflow/react/dist/style.css";
import {
  Background,
  Controls,
  Handle,
  Position,
  ReactFlow,
  type Edge,
  type EdgeChange,
  type Node,
  type NodeChange,
  type NodeTypes,
} from "@xyflow/react";
import NetworkIcon from "@patternfly/react-icons/dist/esm/icons/network-icon";
import type { ReactNode } from "react";
import { MAP_STATE } from "@/ui/states";
import { useIsDark } from "@/ui/theme";
import type { NetworkNode } from "./networkNode";

/** Edges end at the two handles of the box. */
export function Box({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div className={`vm-node ${className}`}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      {children}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}

export function NetworkBox({ data: { name, kind, state } }: Pick<NetworkNode, "data">) {
  const look = state && MAP_STATE[state];
  const Icon = look?.icon;
  return (
    <Box className="vm-node-network">
      <NetworkIcon />
      <span className="vm-node-text">
        <strong>{name}</strong>
        {look && Icon && (
          <span className={`vm-node-state vm-color-${look.color}`}>
            <Icon /> {look.text}
          </span>
        )}
        <span className="vm-quiet">{kind}</span>
      </span>
    </Box>
  );
}

interface Props {
  nodes: Node[];
  edges: Edge[];
  nodeTypes: NodeTypes;
  /** Called with the box or line that was chosen by click or Enter; "": none. Without it nothing can be chosen. */
  onSelect?: (id: string) => void;
}

/** Choosing one node deselects another, so the last selecting change counts. */
function chosenBy(changes: readonly (NodeChange | EdgeChange)[]): string | undefined {
  const selections = changes.filter((change) => change.type === "select");
  return selections.findLast(({ selected }) => selected)?.id;
}

/** Every box can get the focus and has an accessible name. */
export function Canvas({ nodes, edges, nodeTypes, onSelect }: Props) {
  const dark = useIsDark();
  const select = (changes: readonly (NodeChange | EdgeChange)[]) => {
    const id = chosenBy(changes);
    if (id !== undefined) onSelect?.(id);
  };
  return (
    <div className="vm-topology" role="region" aria-label={t`Topology`}>
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
        edgesFocusable={onSelect !== undefined}
        elementsSelectable
        deleteKeyCode={null}
        onNodesChange={select}
        onEdgesChange={select}
        onPaneClick={() => onSelect?.("")}
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
