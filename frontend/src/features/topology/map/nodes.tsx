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

/** `short`: its name within the box that it stands in. */
export type Data = { node: MapNode; short: string; dim: boolean; onToggle: (id: string, open: boolean) => void };
export type FlowNode = Node<Data, "leaf" | "closed" | "open">;
/** All that the map has, where only a part of it has boxes: to fit it in, and for its overview. */
export type ExtentNode = Node<Record<string, never>, "extent">;

/** So far away that only large letters can be read: a box has its colour, its name and its alarms. */
export const Far = createContext(false);

/** Where links end, as React Flow looks for it. Its own handles listen to each move of the map, for links to be drawn by hand. */
const ENDS = (
  <>
    <span className="vm-map-end target" data-handlepos="left" />
    <span className="vm-map-end source" data-handlepos="right" />
  </>
);

/** What is in a box, and what is in it from far away. */
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

/** The worst alarm of all that stands in it, and how many there are. */
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

/** Its colour alone must not say that it is not up. */
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
