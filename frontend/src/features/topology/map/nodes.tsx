import { t } from "@lingui/core/macro";
import type { Node, NodeProps } from "@xyflow/react";
import AngleDownIcon from "@patternfly/react-icons/dist/esm/icons/angle-down-icon";
import AngleRightIcon from "@patternfly/react-icons/dist/esm/icons/angle-right-icon";
import { createContext, use, type ReactNode } from "react";
import type { MapNode } from "@/api/topology";
import { lookOf, MAP_STATE, SEVERITY } from "@/ui/states";
import { useNodeLook } from "./changing";
import { KIND_ICON } from "./icons";
import { alarmsText, colorOf, KIND, membersText, reasonText, statesText } from "./nodeText";

/** `short` is the name within the surrounding box. */
export type Data = { node: MapNode; short: string; dim: boolean; onToggle: (id: string, open: boolean) => void };
export type FlowNode = Node<Data, "leaf" | "closed" | "open">;
/** A node as large as the whole map, for fitting and the overview when only some nodes have boxes. */
export type ExtentNode = Node<Record<string, never>, "extent">;

/** The map is zoomed out so far that a box shows only colour, name and alarms. */
export const Far = createContext(false);

/**
 * React Flow finds the ends of links by these elements. Its own handles would listen to each move of the map to let
 * users draw links.
 */
const ENDS = (
  <>
    <span className="vm-map-end target" data-handlepos="left" />
    <span className="vm-map-end source" data-handlepos="right" />
  </>
);

/** `far` replaces the content when the map is zoomed out. */
const Near = ({ children, far = null }: { children: ReactNode; far?: ReactNode }) => (use(Far) ? far : children);

function State({ node }: { node: MapNode }) {
  const { look, isChanging } = useNodeLook(node);
  const Icon = look.icon;
  const reason = reasonText(node);
  return (
    <span className={`vm-node-state vm-color-${look.color}`} title={node.message}>
      <Icon /> {look.text}
      {!isChanging && reason && ` · ${reason}`}
    </span>
  );
}

/** The alarms include those of everything inside the node. */
function Alarms({ node }: { node: MapNode }) {
  if (!node.severity) return null;
  const { color, icon: Icon } = lookOf(SEVERITY, node.severity);
  return (
    <span className={`vm-map-alarms vm-color-${color}`} title={alarmsText(node)}>
      <Icon /> {node.alarms}
    </span>
  );
}

function Title({ node, short }: Pick<Data, "node" | "short">) {
  const Icon = KIND_ICON[node.kind];
  return (
    <span className="vm-map-title">
      <span className="vm-map-kind" title={KIND[node.kind]}>
        <Icon />
      </span>
      <strong title={node.name}>{short}</strong>
      <Alarms node={node} />
    </span>
  );
}

function Toggle({ node, onToggle }: Data) {
  if (!node.group) return null;
  const open = node.group.open;
  const Icon = open ? AngleDownIcon : AngleRightIcon;
  return (
    <button
      type="button"
      tabIndex={-1}
      className="vm-map-toggle nodrag nopan"
      aria-label={open ? t`Close ${node.name}` : t`Open ${node.name}`}
      onClick={(event) => {
        event.stopPropagation();
        onToggle(node.id, !open);
      }}
    >
      <Icon />
    </button>
  );
}

const dimmed = ({ dim }: Data): string => (dim ? " vm-dim" : "");
const edge = ({ node }: Data): string => `vm-edge-${colorOf(node)}`;

/** Colour alone must not say that the node is not up. */
function FarName({ node, short }: Pick<Data, "node" | "short">) {
  const { icon: Icon, text } = lookOf(MAP_STATE, node.state);
  return (
    <strong className="vm-map-far-name" title={`${node.name}: ${text}`}>
      {node.state !== "UP" && <Icon />} {node.severity ? `${node.alarms} · ` : ""}
      {short}
    </strong>
  );
}

function Leaf({ data }: NodeProps<FlowNode>) {
  return (
    <div className={`vm-node vm-map-leaf ${edge(data)}${dimmed(data)}`} data-kind={data.node.kind}>
      <Near far={<FarName {...data} />}>
        <span className="vm-node-text">
          <Title {...data} />
          <State node={data.node} />
        </span>
      </Near>
      {ENDS}
    </div>
  );
}

function Closed({ data }: NodeProps<FlowNode>) {
  const { node } = data;
  return (
    <div className={`vm-node vm-map-closed ${edge(data)}${dimmed(data)}`} data-kind={node.kind}>
      <Near far={<FarName {...data} />}>
        <Toggle {...data} />
        <span className="vm-node-text">
          <Title {...data} />
          <State node={node} />
          <span className="vm-quiet vm-node-needs" title={node.group ? statesText(node.group.states) : ""}>
            {node.group && membersText(node.group)}
          </span>
        </span>
      </Near>
      {ENDS}
    </div>
  );
}

function Open({ data }: NodeProps<FlowNode>) {
  return (
    <div className={`vm-map-frame ${edge(data)}${dimmed(data)}`} data-kind={data.node.kind}>
      <Near far={<FarName {...data} />}>
        <div className="vm-map-frame-head">
          <Toggle {...data} />
          <Title {...data} />
          <State node={data.node} />
        </div>
      </Near>
      {ENDS}
    </div>
  );
}

export const NODE_TYPES = { leaf: Leaf, closed: Closed, open: Open, extent: () => null };
