import { t } from "@lingui/core/macro";
import { createContext, useContext, type ReactNode } from "react";
import type { Equipment } from "@/api/types";
import { lookOf, SEVERITY } from "@/ui/states";
import type { TreeNode } from "@/features/elements/equipment";
import { fillOf, FILLS, partText, SEVERITY_LETTER, type PartAlarm } from "./partLook";
import { modulesIn, portsIn, type Shelf, type SlotPlace } from "./shelf";

interface Drawing {
  chosen: string;
  /** The only part in the tab order. */
  reached: string;
  onFocus: (fdn: string) => void;
  onChoose: (fdn: string) => void;
  alarmOf: (part: Equipment) => PartAlarm;
}
export const DrawingContext = createContext<Drawing | undefined>(undefined);

function AlarmMark({ alarm: { severity, count } }: { alarm: PartAlarm }) {
  if (!severity) return null;
  return (
    <span className={`vm-drawing-alarm vm-fill-${lookOf(SEVERITY, severity).color}`} aria-hidden="true">
      {SEVERITY_LETTER[severity]}
      {count > 1 && <span className="vm-drawing-count">{count}</span>}
    </span>
  );
}

interface BoxProps {
  node: TreeNode;
  level: number;
  kind: "shelf" | "board" | "module" | "port";
  label: ReactNode;
  children?: ReactNode;
}

/** A click or Enter chooses a part; the parts inside it are drawn inside its box. */
function PartBox({ node, level, kind, label, children }: BoxProps) {
  const drawing = useContext(DrawingContext);
  if (!drawing || !node.part) return <>{children}</>;
  const { chosen, reached, onFocus, onChoose } = drawing;
  const alarm = drawing.alarmOf(node.part);
  const fill = fillOf(node.part);
  const text = partText(node.title, node.part, alarm);
  return (
    // ChassisDrawing handles the keys.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="treeitem"
      aria-level={level}
      aria-label={text}
      aria-selected={node.fdn === chosen}
      data-fdn={node.fdn}
      tabIndex={node.fdn === reached ? 0 : -1}
      title={text}
      className={`vm-drawn vm-drawn-${kind} vm-drawn-${fill}`}
      onFocus={(event) => {
        event.stopPropagation();
        onFocus(node.fdn);
      }}
      onClick={(event) => {
        event.stopPropagation();
        onChoose(node.fdn);
      }}
    >
      <span className="vm-drawn-label" aria-hidden="true">
        {label}
        <span className="vm-drawn-sign">{FILLS[fill].sign}</span>
        <AlarmMark alarm={alarm} />
      </span>
      {children}
    </div>
  );
}

/** "1/2/10" becomes "10". */
const shortName = ({ part, title }: TreeNode): string => /(\d+(?:\.\d+)?)$/.exec(part?.name || title)?.[1] ?? title;

function Ports({ ports, level }: { ports: readonly TreeNode[]; level: number }) {
  if (ports.length === 0) return null;
  return (
    <div role="group" className="vm-drawn-ports">
      {ports.map((port) => (
        <PartBox key={port.fdn} node={port} level={level} kind="port" label={shortName(port)} />
      ))}
    </div>
  );
}

function Module({ node, level, kind = "module" }: { node: TreeNode; level: number; kind?: "board" | "module" }) {
  const modules = modulesIn(node);
  const label = (
    <span className="vm-drawn-name">
      {node.title}
      {node.part?.type && <span className="vm-drawn-type">{node.part.type}</span>}
    </span>
  );
  return (
    <PartBox node={node} level={level} kind={kind} label={label}>
      {modules.length > 0 && (
        <div role="group" className="vm-drawn-modules">
          {modules.map((each) => (
            <Module key={each.fdn} node={each} level={level + 1} />
          ))}
        </div>
      )}
      <Ports ports={portsIn(node)} level={level + 1} />
    </PartBox>
  );
}

function Slot({ place: { slot, board }, level }: { place: SlotPlace; level: number }) {
  if (board) return <Module node={board} level={level} kind="board" />;
  return (
    <div className="vm-drawn vm-drawn-board vm-drawn-unlisted" aria-hidden="true" title={t`Slot ${slot}: not listed`}>
      <span className="vm-drawn-label">{slot}</span>
    </div>
  );
}

/** Ports outside cards stand in rows. */
export function ShelfDrawing({ shelf: { node, slots, ports, others } }: { shelf: Shelf }) {
  const level = node ? 2 : 1;
  const inside = (
    <div role={node ? "group" : "presentation"} className="vm-drawn-inside">
      {slots.length > 0 && (
        <div role="presentation" className="vm-drawn-slots">
          {slots.map((place) => (
            <Slot key={place.slot} place={place} level={level} />
          ))}
        </div>
      )}
      <Ports ports={ports} level={level} />
      {others.length > 0 && (
        <div role="presentation" className="vm-drawn-tray">
          {others.map((each) => (
            <Module key={each.fdn} node={each} level={level} />
          ))}
        </div>
      )}
    </div>
  );
  if (!node) return inside;
  return (
    <PartBox node={node} level={1} kind="shelf" label={[node.part?.type, node.title].filter(Boolean).join(" · ")}>
      {inside}
    </PartBox>
  );
}
