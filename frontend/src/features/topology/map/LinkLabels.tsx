import { useReactFlow, ViewportPortal } from "@xyflow/react";
import { useEffect, useEffectEvent, useMemo, useState, type RefObject } from "react";
import type { Point, TopologyMap } from "@/api/topology";
import { linkWords } from "./nodeText";
import { lineAt, linesIn, nodeAt, type Area, type LinkLine, type Scene } from "./scene";
import { idAt } from "./useMoves";
import type { InView } from "./usePicture";

/** The pointer is on a line within this distance. */
const HIT_PX = 6;
/** More labels around one box would be unreadable. */
const MOST = 12;

/** A point of the map; `frame` is its position in the window from the left edge. */
interface Label {
  lines: readonly LinkLine[];
  at: Point;
  share: number;
  isBelow: boolean;
}

interface Props {
  map: TopologyMap;
  scene: Scene;
  inView: InView;
  now: number;
  frame: RefObject<HTMLElement | null>;
}

/** Labels the link under the pointer, or the links of the focused box. */
function useLabel({ map: { links }, scene, inView: { area, zoom }, frame }: Props): Label | undefined {
  const { screenToFlowPosition, flowToScreenPosition } = useReactFlow();
  const [label, setLabel] = useState<Label>();
  const lines = useMemo(() => linesIn(scene, links, area), [scene, links, area]);
  function labelOf(named: readonly LinkLine[], { x, y, width, height }: Area): Label | undefined {
    const window = frame.current?.getBoundingClientRect();
    if (!window || named.length === 0) return undefined;
    const on = flowToScreenPosition({ x: x + width / 2, y: y + height / 2 });
    const isBelow = on.y < window.top + window.height / 2;
    const share = Math.min(1, Math.max(0, (on.x - window.left) / window.width));
    return { lines: named, at: { x: x + width / 2, y: isBelow ? y + height : y }, share, isBelow };
  }
  const point = useEffectEvent(({ target, buttons, clientX, clientY }: PointerEvent) => {
    const at = screenToFlowPosition({ x: clientX, y: clientY });
    const box = scene.get(nodeAt(scene, at) ?? "")?.node;
    const isOnMap = target instanceof Element && target.matches(".react-flow__pane, .react-flow__node-open *");
    const isFree = isOnMap && buttons === 0 && (!box || box.group?.open === true);
    const line = isFree ? lineAt(lines, at, HIT_PX / zoom) : undefined;
    setLabel((before) => {
      if (before?.lines[0] === line) return before;
      return line && labelOf([line], { ...at, width: 0, height: 0 });
    });
  });
  const focus = useEffectEvent(({ target }: FocusEvent) => {
    const id = target instanceof Element && target.matches(":focus-visible") ? idAt(target) : undefined;
    const placed = scene.get(id ?? "");
    const own = lines.filter(({ link }) => link.source === id || link.target === id).slice(0, MOST);
    setLabel(placed && labelOf(own, placed.area));
  });
  useEffect(() => {
    const element = frame.current;
    const clear = () => setLabel(undefined);
    element?.addEventListener("pointermove", point);
    element?.addEventListener("pointerleave", clear);
    element?.addEventListener("focusin", focus);
    element?.addEventListener("focusout", clear);
    return () => {
      element?.removeEventListener("pointermove", point);
      element?.removeEventListener("pointerleave", clear);
      element?.removeEventListener("focusin", focus);
      element?.removeEventListener("focusout", clear);
    };
  }, [frame]);
  return label;
}

/** The labels are for the mouse; list and details contain the same for screen readers. */
export function LinkLabels(props: Props) {
  const { map, inView, now } = props;
  const names = useMemo(() => new Map(map.nodes.map(({ id, name }) => [id, name])), [map]);
  const label = useLabel(props);
  if (!label) return null;
  const { lines, at, share, isBelow } = label;
  const move = `translate(${at.x}px, ${at.y}px) scale(${1 / inView.zoom})`;
  const beside = `translate(${-share * 100}%, ${isBelow ? "12px" : "calc(-100% - 12px)"})`;
  return (
    <ViewportPortal>
      <div className="vm-map-link-label" aria-hidden="true" style={{ transform: `${move} ${beside}` }}>
        {lines.map(({ link }) => (
          <div key={link.id}>{linkWords(link, names, now)}</div>
        ))}
      </div>
    </ViewportPortal>
  );
}
