import { t } from "@lingui/core/macro";
import "@xyflow/react/dist/style.css";
import {
  Background,
  Controls,
  MiniMap,
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
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from "react";
import type { Point, TopologyMap } from "@/api/topology";
import { number } from "@/ui/format";
import { useIsDark } from "@/ui/theme";
import { lookOf, MAP_STATE } from "@/ui/states";
import { useIsUtc } from "@/ui/zone";
import { Far, NODE_TYPES, type ExtentNode, type FlowNode } from "./nodes";
import { LinkLabels } from "./LinkLabels";
import type { Spot } from "./place";
import { boxesIn, nodeAt, partsOf, sceneOf, type Scene } from "./scene";
import { EXTENT, extentNode, flowEdges, flowNodes, isPictured, keepPlaces, reuseUnchanged } from "./shape";
import type { Filter } from "./shape";
import { sheetOf } from "./sheet";
import { FIT, idAt, useFit, useGoTo, useStableView, ZOOMS } from "./useMoves";
import { usePan } from "./usePan";
import { usePicture, type InView } from "./usePicture";

interface Props {
  map: TopologyMap;
  spots: Readonly<Record<string, Spot>>;
  filter: Filter;
  /** "" when no node is chosen. */
  selected: string;
  /** Milliseconds. */
  now: number;
  /** Scrolls to this node; a new object scrolls again. */
  goTo: { id: string } | undefined;
  /** Fits the whole map once its next nodes are rendered; a new object does so again. */
  fitTo: object | undefined;
  onSelect: (id: string) => void;
  onToggle: (id: string, open: boolean) => void;
  onMove: (moved: Record<string, Point>) => void;
}

const SETTLE_MS = 600;
/** Below this zoom text is unreadable, and rendering it takes most of the time. */
const READABLE = { boxes: 0.65, picture: 0.5 };
/** A narrower box of a picture has no name and no focus. */
const NAMED_PX = 72;
/** At most this many boxes of a picture have names; a window does not show more of that width. */
const NAMED = 600;
/** Rounds a zoom down to one of a few steps. */
const stepOf = (zoom: number): number => 2 ** (Math.floor(Math.log2(zoom) * 4) / 4);
const NOTHING: Scene = new Map();
const NO_EDGES: Edge[] = [];

/** Positions are saved when the user stops moving. */
function useMoved(onMove: Props["onMove"]) {
  const moved = useRef<Record<string, Point>>({});
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const save = useCallback(() => {
    clearTimeout(timer.current);
    const places = moved.current;
    moved.current = {};
    if (Object.keys(places).length > 0) onMove(places);
  }, [onMove]);
  // Positions are also saved when the user leaves the page.
  useEffect(() => save, [save]);
  return (changes: NodeChange<FlowNode | ExtentNode>[]) => {
    for (const change of changes) {
      if (change.type === "position" && change.position) moved.current[change.id] = change.position;
    }
    if (Object.keys(moved.current).length === 0) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(save, SETTLE_MS);
  };
}

const movedIn = (changes: readonly NodeChange<FlowNode | ExtentNode>[]): string[] =>
  changes.flatMap((change) => (change.type === "position" ? [change.id] : []));

/** In the overview of a large map a box in a group is smaller than a dot. */
function GroupInOverview({ id, x, y, width, height, className, borderRadius, shapeRendering }: MiniMapNodeProps) {
  const within = useInternalNode(id)?.parentId !== undefined;
  if (within || id === EXTENT) return null;
  return (
    <rect
      className={`react-flow__minimap-node ${className}`}
      {...{ x, y, width, height, shapeRendering }}
      rx={borderRadius}
      ry={borderRadius}
    />
  );
}

/**
 * A picture has boxes in the document only for nodes that are in view and large enough, and outer groups for the
 * overview.
 */
function boxed(scene: Scene, pictured: boolean, inView: InView | undefined): Scene {
  if (!pictured) return scene;
  if (!inView) return NOTHING;
  const outermost = [...scene].filter(([, { node, parentId }]) => node.group && parentId === undefined);
  const near = boxesIn(scene, inView.area, { narrowest: NAMED_PX / inView.zoom, most: NAMED });
  return new Map([...outermost.slice(0, NAMED), ...near]);
}

function useDrawing(
  { map, spots, filter, selected, now, onToggle }: Props,
  canvas: RefObject<HTMLCanvasElement | null>,
) {
  const utc = useIsUtc();
  const { severity, state } = filter;
  const scene = useMemo(() => sceneOf(map.nodes, spots), [map, spots]);
  const pictured = isPictured(map);
  const sheet = useMemo(
    () => (pictured ? sheetOf(scene, map.links, { severity, state }) : undefined),
    [pictured, scene, map, severity, state],
  );
  const chosen = useMemo(() => [...scene.keys()].indexOf(selected), [scene, selected]);
  const { inView, drag, viewOf, hide } = usePicture(sheet, chosen, canvas);
  const { nodes, edges } = useMemo(() => {
    // The texts contain times in the chosen zone.
    const at = { selected, now, utc, onToggle };
    const boxes = flowNodes(boxed(scene, pictured, inView), { severity, state }, at);
    if (pictured) return { nodes: [extentNode(scene), ...boxes], edges: NO_EDGES };
    const names = new Map(map.nodes.map(({ id, name }) => [id, name]));
    return { nodes: boxes, edges: flowEdges(map.links, names, at) };
  }, [map, scene, pictured, inView, severity, state, selected, now, utc, onToggle]);
  const [drawn, setDrawn, onNodesChange] = useNodesState<FlowNode | ExtentNode>(nodes);
  const placedBy = useRef(spots);
  useEffect(() => {
    const isPlaced = placedBy.current !== spots;
    placedBy.current = spots;
    setDrawn((before) => reuseUnchanged(before, isPlaced ? nodes : keepPlaces(before, nodes)));
  }, [nodes, spots, setDrawn]);
  return { scene, pictured, inView, drag, viewOf, hide, drawn, edges, onNodesChange };
}

function Drawing(props: Props) {
  const { map, goTo, fitTo, onSelect, onToggle, onMove } = props;
  const dark = useIsDark();
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { scene, pictured, inView, drag, viewOf, hide, drawn, edges, onNodesChange } = useDrawing(props, canvas);
  const { screenToFlowPosition } = useReactFlow();
  const onChanges = useMoved(onMove);
  const [far, setFar] = useState(pictured);
  // A class and not a state, so that moving the map renders no box.
  const moving = (yes: boolean) => frame.current?.classList.toggle("vm-map-moving", yes);
  function scaled({ zoom: scale }: Viewport) {
    setFar(scale < (pictured ? READABLE.picture : READABLE.boxes));
    // Names keep their size in steps, because each step restyles all boxes. A picture shows names only when it rests.
    if (!pictured) frame.current?.style.setProperty("--vm-map-zoom", String(stepOf(scale)));
  }
  useGoTo(goTo, scene);
  const endFit = useFit(fitTo, goTo, drawn);
  const pan = usePan(pictured, frame, { viewOf, drag });
  const { keepInSight, letGo } = useStableView(frame, scene);

  // These are props of each box, which would render again with new functions.
  const clicked = useCallback<NodeMouseHandler<FlowNode | ExtentNode>>((_event, { id }) => onSelect(id), [onSelect]);
  const doubleClicked = useCallback<NodeMouseHandler<FlowNode | ExtentNode>>(
    (_event, node) => node.type !== "extent" && node.data.node.group && onToggle(node.id, !node.data.node.group.open),
    [onToggle],
  );
  const pictureAt = ({ clientX, clientY }: MouseEvent) =>
    pictured ? nodeAt(scene, screenToFlowPosition({ x: clientX, y: clientY })) : undefined;
  function doubleClickedPicture(event: MouseEvent) {
    if (!(event.target instanceof Element && event.target.matches(".react-flow__pane"))) return;
    const { id, group } = scene.get(pictureAt(event) ?? "")?.node ?? {};
    if (id !== undefined && group) onToggle(id, !group.open);
  }

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
    // The boxes inside take the focus and handle the keys.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={`vm-map-canvas${far ? " vm-map-far" : ""}${pictured ? " vm-map-pictured" : ""}`}
      style={{ "--vm-map-zoom": inView?.zoom ?? 1 } as CSSProperties}
      ref={frame}
      onKeyDown={keys}
      onDoubleClick={doubleClickedPicture}
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
            if (pictured) hide(partsOf(scene, movedIn(changes)));
          }}
          onNodeClick={clicked}
          onNodeDoubleClick={doubleClicked}
          onMoveStart={() => void moving(true)}
          onMoveEnd={() => void moving(false)}
          onViewportChange={scaled}
          onPaneClick={(event) => onSelect(pictureAt(event) ?? "")}
          colorMode={dark ? "dark" : "light"}
          fitView
          fitViewOptions={FIT}
          {...ZOOMS}
          nodesConnectable={false}
          edgesFocusable={false}
          onlyRenderVisibleElements={pictured}
          panOnDrag={!pictured}
          zIndexMode="manual"
          deleteKeyCode={null}
          zoomOnDoubleClick={false}
          proOptions={{ hideAttribution: true }}
          aria-label={t`Map`}
        >
          {pictured && (
            <div
              className="vm-map-picture-frame"
              role="img"
              aria-label={t`${number(map.nodes.length)} boxes and ${number(map.links.length)} links; the list has them all`}
            >
              <canvas ref={canvas} className="vm-map-picture" />
            </div>
          )}
          {pictured && !far && inView && <LinkLabels {...{ map, scene, inView, frame }} now={props.now} />}
          {!far && <Background gap={24} />}
          <Controls showInteractive={false} />
          {pictured && (
            <MiniMap
              pannable
              zoomable
              ariaLabel={t`Overview of the map`}
              nodeComponent={GroupInOverview}
              nodeClassName={(node: FlowNode | ExtentNode) =>
                node.type === "extent" ? "" : `vm-mini-${lookOf(MAP_STATE, node.data.node.state).color}`
              }
            />
          )}
        </ReactFlow>
      </Far>
    </div>
  );
}

/** Each box can get the focus: Enter opens its details, + and - its group, arrow keys move it. */
export default function MapCanvas(props: Props) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}
