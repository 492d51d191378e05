import { plural, t } from "@lingui/core/macro";
import { Button } from "@patternfly/react-core";
import MinusIcon from "@patternfly/react-icons/dist/esm/icons/minus-icon";
import PlusIcon from "@patternfly/react-icons/dist/esm/icons/plus-icon";
import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type Ref,
} from "react";
import { SEVERITY } from "@/ui/states";
import {
  fitting,
  fromScreen,
  graticuleStep,
  latitudeText,
  lines,
  longitudeText,
  onScreen,
  placeOf,
  spotOf,
  zoomed,
  type Place,
  type Viewport,
  type Size,
  type Spot,
} from "./geography";
import { colourOf, MOST_SQUARES, squares, type SiteNode } from "./siteNodes";
import { usePointers } from "./usePointers";

const WHEEL = 1.2;
const BUTTON = 1.6;
const BOX: Size = { width: 148, height: 62 };
const ROW = 12;
const CLICK = 4;
const STEP: Readonly<Record<string, Spot>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
const KEY_PIXELS = 10;

/** Degrees are shown at the edge. */
function Graticule({ view, size }: { view: Viewport; size: Size }) {
  const step = graticuleStep(view.zoom);
  const [a, b] = [
    { x: 0, y: 0 },
    { x: size.width, y: size.height },
  ].map((each) => placeOf(fromScreen(each, view, size)));
  if (!a || !b) return null;
  return (
    <g className="vm-graticule" aria-hidden="true">
      {lines(a.longitude, b.longitude, step).map((longitude) => {
        const { x } = onScreen(spotOf({ latitude: 0, longitude }), view, size);
        return (
          <g key={longitude}>
            <path d={`M${x} 0V${size.height}`} />
            <text x={x + 3} y={12}>
              {longitudeText(longitude)}
            </text>
          </g>
        );
      })}
      {lines(b.latitude, a.latitude, step).map((latitude) => {
        const { y } = onScreen(spotOf({ latitude, longitude: 0 }), view, size);
        return (
          <g key={latitude}>
            <path d={`M0 ${y}H${size.width}`} />
            <text x={3} y={y - 3}>
              {latitudeText(latitude)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function wordsOf({ site, isKnown, elements, unreachable, unknown, alarms, worst }: SiteNode): string {
  if (!isKnown) return t`${site.name}, elements and alarms not known yet`;
  return [
    site.name,
    plural(elements, { one: "# element", other: "# elements" }),
    ...(unreachable > 0 ? [t`${unreachable} unreachable`] : []),
    ...(unknown > 0 ? [t`${unknown} unknown`] : []),
    worst
      ? plural(alarms, {
          one: `# alarm, worst ${SEVERITY[worst].text}`,
          other: `# alarms, worst ${SEVERITY[worst].text}`,
        })
      : t`no alarms`,
  ].join(", ");
}

interface BoxProps {
  node: SiteNode;
  at: Spot;
  isSelected: boolean;
  onSelect: () => void;
  /** `by` is in pixels; undefined if the user may not move sites. */
  onMove: ((by: Spot, dropped: boolean) => void) | undefined;
  /** Two fingers zoom instead of moving the site. */
  isPinched: () => boolean;
}

function SiteBox({ node, at, isSelected, onSelect, onMove, isPinched }: BoxProps) {
  const from = useRef<Spot>(undefined);
  const [by, setBy] = useState<Spot>({ x: 0, y: 0 });
  const { worst, alarms, elements, isKnown } = node;
  const colour = colourOf(node);
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, y: event.clientY };
  };
  const cancel = () => {
    from.current = undefined;
    setBy({ x: 0, y: 0 });
  };
  const move = (event: PointerEvent) => {
    if (!from.current) return;
    if (isPinched()) cancel();
    else if (onMove) setBy({ x: event.clientX - from.current.x, y: event.clientY - from.current.y });
  };
  const up = () => {
    if (!from.current) return;
    if (isPinched()) cancel();
    else if (Math.hypot(by.x, by.y) <= CLICK) onSelect();
    else onMove?.(by, true);
    cancel();
  };
  const keys = (event: KeyboardEvent) => {
    const step = STEP[event.key];
    if (event.key === "Enter" || event.key === " ") onSelect();
    else if (step && onMove) onMove({ x: step.x * KEY_PIXELS, y: step.y * KEY_PIXELS }, false);
    else return;
    event.preventDefault();
  };
  return (
    <g
      role="button"
      tabIndex={0}
      aria-label={wordsOf(node)}
      aria-pressed={isSelected}
      className={`vm-site vm-color-${colour}${isSelected ? " vm-site-selected" : ""}`}
      transform={`translate(${at.x + by.x - BOX.width / 2} ${at.y + by.y - BOX.height / 2})`}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={cancel}
      onKeyDown={keys}
    >
      <rect width={BOX.width} height={BOX.height} rx="6" />
      <text x="8" y="18" className="vm-site-name">
        {node.site.name.length > 16 ? `${node.site.name.slice(0, 15)}…` : node.site.name}
      </text>
      {worst && (
        <g className={`vm-site-alarms vm-color-${SEVERITY[worst].color}`} transform={`translate(${BOX.width - 34} 5)`}>
          <rect width="28" height="17" rx="8" />
          <text x="14" y="13" textAnchor="middle">
            {alarms > 99 ? "99+" : alarms}
          </text>
        </g>
      )}
      {squares(node).map((each, index) => (
        <rect
          // Squares are only a count, so they have no identity.
          key={index}
          className={`vm-site-element vm-color-${each}`}
          x={8 + (index % ROW) * 11}
          y={27 + Math.floor(index / ROW) * 11}
          width="8"
          height="8"
          rx="1.5"
        />
      ))}
      <text x="8" y={BOX.height - 7} className="vm-site-count">
        {!isKnown
          ? t`not known yet`
          : elements > MOST_SQUARES
            ? t`and ${elements - MOST_SQUARES} more`
            : plural(elements, { one: "# element", other: "# elements" })}
      </text>
    </g>
  );
}

interface Props {
  nodes: readonly SiteNode[];
  selected: string;
  onSelect: (siteId: string) => void;
  /** `dropped` is false while the move continues. */
  onPlace: ((node: SiteNode, place: Place, dropped: boolean) => void) | undefined;
  ref?: Ref<SitesHandle>;
}

export interface SitesHandle {
  /** Returns the middle of the view, which then stays when sites are added. */
  freeze: () => Place;
}

function useSize() {
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 1000, height: 560 });
  useEffect(() => {
    const element = frame.current;
    if (!element || typeof ResizeObserver === "undefined") return undefined;
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width > 0 && height > 0) setSize({ width, height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { frame, size };
}

/** Needs no map server. The wheel, two fingers and buttons zoom; mouse or finger move the drawing. */
export function SitesCanvas({ nodes, selected, onSelect, onPlace, ref }: Props) {
  const { frame, size } = useSize();
  const [chosen, setView] = useState<Viewport>();
  const spots = nodes.flatMap(({ spot }) => spot ?? []);
  const view = chosen ?? fitting(spots, size);
  useImperativeHandle(ref, () => ({
    freeze: () => {
      setView(view);
      return placeOf(view);
    },
  }));
  const middle = { x: size.width / 2, y: size.height / 2 };
  const { isPinched, handlers } = usePointers({
    frame,
    size,
    change: (by) => setView((present) => by(present ?? view)),
  });
  const wheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    const box = frame.current?.getBoundingClientRect();
    const about = { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
    setView(zoomed(view, event.deltaY < 0 ? WHEEL : 1 / WHEEL, about, size));
  });
  useEffect(() => {
    const element = frame.current;
    // React's own listener is passive and could not keep the page from scrolling.
    const onWheel = (event: WheelEvent) => wheel(event);
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [frame]);
  return (
    <div className="vm-map-canvas vm-sites" ref={frame}>
      <svg width={size.width} height={size.height} role="group" aria-label={t`Sites by place`} {...handlers}>
        <Graticule view={view} size={size} />
        {nodes.map((node) => {
          const { spot, site } = node;
          if (!spot) return null;
          return (
            <SiteBox
              key={site.id}
              node={node}
              at={onScreen(spot, view, size)}
              isSelected={site.id === selected}
              onSelect={() => onSelect(site.id)}
              isPinched={isPinched}
              onMove={
                onPlace &&
                ((by, dropped) => {
                  // Otherwise the view that fits all sites would follow each move.
                  setView(view);
                  onPlace(node, placeOf({ x: spot.x + by.x / view.zoom, y: spot.y + by.y / view.zoom }), dropped);
                })
              }
            />
          );
        })}
      </svg>
      <div className="vm-sites-buttons">
        <Button
          variant="control"
          icon={<PlusIcon />}
          aria-label={t`Zoom in`}
          onClick={() => setView(zoomed(view, BUTTON, middle, size))}
        />
        <Button
          variant="control"
          icon={<MinusIcon />}
          aria-label={t`Zoom out`}
          onClick={() => setView(zoomed(view, 1 / BUTTON, middle, size))}
        />
        <Button variant="control" onClick={() => setView(undefined)}>
          {t`Fit`}
        </Button>
      </div>
    </div>
  );
}
