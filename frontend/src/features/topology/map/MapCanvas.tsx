import { t } from "@lingui/core/macro";
import "@xyflow/react/dist/style.css";
import {
  Background,
  Controls,
  MiniMap,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useInternalNode,
  useNodesState,
  useReactFlow,
  type Edge,
  type MiniMapNodeProps,
  type NodeChange,
  type NodeMouseHandler,
  type Viewport,
} from "@xyflow/react";
import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import type { Point } from "@/api/topology";
import { useIsDark } from "@/ui/theme";
import { lookOf, MAP_STATE } from "@/ui/states";
import { boxOf } from "./box";
import { Far, NODE_TYPES, type FlowNode } from "./nodes";
import { reuseUnchanged } from "./shape";
import { usePan } from "./usePan";

interface Props {
  nodes: FlowNode[];
  edges: Edge[];
  /** The node to go to; a new object goes there again. */
  goTo: { id: string } | undefined;
  /** Fit all of the map once its next nodes are there; a new object asks again. */
  fitTo: object | undefined;
  onSelect: (id: string) => void;
  onToggle: (id: string, open: boolean) => void;
  onMove: (moved: Record<string, Point>) => void;
  /** Buttons in its corner. */
  children: ReactNode;
}

/** Room for the buttons in the corner. */
const FIT = { padding: { top: "60px", bottom: "24px", x: "24px" }, maxZoom: 1 } as const;
const SETTLE_MS = 600;
/** From so many nodes on, only what can be seen is drawn, and the overview shows groups alone. */
const MANY = 300;
/** Below this zoom the text of a box is unreadable, and rendering it takes most of the time. */
const READABLE = 0.35;

/** Gathers where nodes were put, until they are let go of for a moment. */
function useMoved(onMove: Props["onMove"]) {
  const moved = useRef<Record<string, Point>>({});
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const save = useCallback(() => {
    clearTimeout(timer.current);
    const places = moved.current;
    moved.current = {};
    if (Object.keys(places).length > 0) onMove(places);
  }, [onMove]);
  // Saved also when the page is left before.
  useEffect(() => save, [save]);
  return (changes: NodeChange<FlowNode>[]) => {
    for (const change of changes) {
      if (change.type === "position" && change.position) moved.current[change.id] = change.position;
    }
    if (Object.keys(moved.current).length === 0) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(save, SETTLE_MS);
  };
}

/** Brings a node into sight, and the keyboard's focus to it. */
function useGoTo(goTo: Props["goTo"], nodes: readonly FlowNode[]) {
  const { fitView } = useReactFlow();
  const done = useRef<object>(undefined);
  useEffect(() => {
    if (!goTo || done.current === goTo || !nodes.some(({ id }) => id === goTo.id)) return;
    done.current = goTo;
    void fitView({ nodes: [{ id: goTo.id }], maxZoom: 1.1, padding: 1, duration: 0 }).then(() => {
      boxOf(goTo.id)?.focus();
    });
  }, [goTo, nodes, fitView]);
}

/**
 * After all groups were opened or closed: everything in sight, until the user moves the map. The layout comes in steps, since
 * boxes are measured first.
 */
function useFit(fitTo: Props["fitTo"], goTo: Props["goTo"], nodes: readonly FlowNode[]) {
  const { fitView } = useReactFlow();
  const asked = useRef({ fitTo, goTo, fits: false });
  useEffect(() => {
    if (asked.current.fitTo !== fitTo || asked.current.goTo !== goTo)
      asked.current = { fitTo, goTo, fits: asked.current.fitTo !== fitTo };
    if (asked.current.fits) requestAnimationFrame(() => void fitView({ ...FIT, duration: 0 }));
  }, [fitTo, goTo, nodes, fitView]);
  return () => void (asked.current.fits = false);
}

const idAt = (target: EventTarget | null): string | undefined =>
  target instanceof Element
    ? (target.closest<HTMLElement>(".react-flow__node")?.dataset["id"] ?? undefined)
    : undefined;

/**
 * A group that is opened or closed by its key has the focus, and moves when the layout is recomputed, which
 * comes later: it is kept in view until the user moves the map or the focus. (A box that is rendered again
 * leaves it to the page for a moment.)
 */
function useStableView(frame: RefObject<HTMLDivElement | null>, nodes: readonly FlowNode[]) {
  const { fitView, flowToScreenPosition, getInternalNode, getZoom } = useReactFlow();
  const asked = useRef<{ id: string; open: boolean }>(undefined);
  useEffect(() => {
    const { id, open } = asked.current ?? {};
    if (id === undefined || nodes.find((node) => node.id === id)?.data.node.group?.open !== open) return;
    if (document.activeElement !== document.body && idAt(document.activeElement) !== id) {
      asked.current = undefined;
      return;
    }
    const place = getInternalNode(id)?.internals.positionAbsolute;
    const seen = frame.current?.getBoundingClientRect();
    if (!place || !seen) return;
    const { x, y } = flowToScreenPosition(place);
    if (x >= seen.left && x < seen.right && y >= seen.top && y < Math.min(seen.bottom, innerHeight)) return;
    void fitView({ nodes: [{ id }], minZoom: getZoom(), maxZoom: getZoom(), duration: 0 });
  }, [nodes, frame, fitView, flowToScreenPosition, getInternalNode, getZoom]);
  return {
    keepInSight: (id: string, open: boolean) => void (asked.current = { id, open }),
    letGo: () => void (asked.current = undefined),
  };
}

/** In the overview of a large map a box in a group is less than a dot. */
function GroupInOverview({ id, x, y, width, height, className, borderRadius, shapeRendering }: MiniMapNodeProps) {
  const within = useInternalNode(id)?.parentId !== undefined;
  if (within) return null;
  return (
    <rect
      className={`react-flow__minimap-node ${className}`}
      {...{ x, y, width, height, shapeRendering }}
      rx={borderRadius}
      ry={borderRadius}
    />
  );
}

function Drawing({ nodes, edges, goTo, fitTo, onSelect, onToggle, onMove, children }: Props) {
  const dark = useIsDark();
  const [drawn, setDrawn, onNodesChange] = useNodesState(nodes);
  const onChanges = useMoved(onMove);
  const frame = useRef<HTMLDivElement>(null);
  const many = drawn.length > MANY;
  const [far, setFar] = useState(many);
  // A class of the frame and no state: moving the map renders no box.
  const moving = (yes: boolean) => frame.current?.classList.toggle("vm-map-moving", yes);
  const scaled = ({ zoom }: Viewport) => setFar(zoom < READABLE);
  useEffect(() => setDrawn((before) => reuseUnchanged(before, nodes)), [nodes, setDrawn]);
  useGoTo(goTo, drawn);
  const endFit = useFit(fitTo, goTo, drawn);
  const pan = usePan(many);
  const { keepInSight, letGo } = useStableView(frame, drawn);

  // Stable across renders: each box has them as props and would render again with others.
  const clicked = useCallback<NodeMouseHandler<FlowNode>>((_event, { id }) => onSelect(id), [onSelect]);
  const doubleClicked = useCallback<NodeMouseHandler<FlowNode>>(
    (_event, { id, data: { node } }) => node.group && onToggle(id, !node.group.open),
    [onToggle],
  );

  function keys(event: KeyboardEvent) {
    const id = idAt(event.target);
    if (id === undefined) return;
    if (event.key === "+" || event.key === "-") {
      keepInSight(id, event.key === "+");
      onToggle(id, event.key === "+");
    } else if (event.key === "Enter" || event.key === " ") onSelect(id);
  }
  function moved() {
    letGo();
    endFit();
  }
  return (
    // Keys are those of the boxes in it, which take the focus.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={far ? "vm-map-canvas vm-map-far" : "vm-map-canvas"}
      ref={frame}
      onKeyDown={keys}
      onPointerDownCapture={moved}
      onWheelCapture={moved}
      {...pan}
    >
      <Far value={far}>
        <ReactFlow
          nodes={drawn}
          edges={edges}
          nodeTypes={NODE_TYPES}
          onNodesChange={(changes) => {
            onNodesChange(changes.filter(({ type }) => type !== "select"));
            onChanges(changes);
          }}
          onNodeClick={clicked}
          onNodeDoubleClick={doubleClicked}
          onMoveStart={() => void moving(true)}
          onMoveEnd={() => void moving(false)}
          onViewportChange={scaled}
          onPaneClick={() => onSelect("")}
          colorMode={dark ? "dark" : "light"}
          fitView
          fitViewOptions={FIT}
          minZoom={0.03}
          maxZoom={2}
          nodesConnectable={false}
          edgesFocusable={false}
          onlyRenderVisibleElements={many}
          panOnDrag={!many}
          zIndexMode="manual"
          deleteKeyCode={null}
          zoomOnDoubleClick={false}
          proOptions={{ hideAttribution: true }}
          aria-label={t`Map`}
        >
          {!far && <Background gap={24} />}
          <Controls showInteractive={false} />
          <Panel position="top-left" className="vm-map-buttons">
            {children}
          </Panel>
          {many && (
            <MiniMap
              pannable
              zoomable
              ariaLabel={t`Overview of the map`}
              nodeComponent={GroupInOverview}
              nodeClassName={(node: FlowNode) => `vm-mini-${lookOf(MAP_STATE, node.data.node.state).color}`}
            />
          )}
        </ReactFlow>
      </Far>
    </div>
  );
}

/** The drawing. Every box takes the focus: Enter opens its details, + and - its group, arrow keys move it. */
export default function MapCanvas(props: Props) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}
