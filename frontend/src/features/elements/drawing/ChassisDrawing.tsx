import "@/ui/styles/drawing.css";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState, type KeyboardEvent } from "react";
import { networkQueries } from "@/api/network";
import type { Equipment, NetworkElement } from "@/api/types";
import { numbersOf } from "@/features/faults/AlarmNumbers";
import { treeOf } from "@/features/elements/equipment";
import { interfaceResource } from "@/features/elements/PartAlarms";
import { DrawingLegend } from "./DrawingLegend";
import { DrawingContext, ShelfDrawing } from "./ShelfDrawing";
import { alarmOf } from "./partLook";
import { drawnOrder, shelvesOf } from "./shelf";

interface Props {
  element: NetworkElement;
  parts: readonly Equipment[];
  chosen: string;
  onChoose: (fdn: string) => void;
}

type Line = ReturnType<typeof drawnOrder>[number];

/** Left and right move within a level, down into a part, up to its parent. */
function nextOf(lines: readonly Line[], at: number, key: string): number {
  const level = lines[at]?.level ?? 1;
  const after = lines.findIndex((line, index) => index > at && line.level <= level);
  const before = lines.findLastIndex((line, index) => index < at && line.level <= level);
  const targets: Record<string, number> = {
    ArrowRight: after,
    ArrowLeft: before,
    ArrowDown: (lines[at + 1]?.level ?? 0) > level ? at + 1 : after,
    ArrowUp: lines.findLastIndex((line, index) => index < at && line.level < level),
    Home: 0,
    End: lines.length - 1,
  };
  const found = targets[key] ?? -1;
  return found < 0 ? at : found;
}

export default function ChassisDrawing({ element, parts, chosen, onChoose }: Props) {
  const drawing = useRef<HTMLDivElement>(null);
  const shelves = useMemo(() => {
    const root = treeOf(element, parts).children[0];
    return root ? shelvesOf(root, element.chassisType) : [];
  }, [element, parts]);
  const lines = useMemo(() => drawnOrder(shelves), [shelves]);
  const alarms = useQuery(networkQueries.parts(element.id));
  const numbers = useMemo(() => numbersOf(alarms), [alarms]);
  const [focused, setFocused] = useState("");
  const isThere = (fdn: string) => lines.some((line) => line.fdn === fdn);
  const reached = [focused, chosen].find(isThere) ?? lines[0]?.fdn ?? "";

  function press(event: KeyboardEvent) {
    const at = lines.findIndex(({ fdn }) => fdn === reached);
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onChoose(reached);
      return;
    }
    if (!/^(Arrow|Home$|End$)/.test(event.key)) return;
    event.preventDefault();
    const next = lines[nextOf(lines, at, event.key)]?.fdn ?? reached;
    setFocused(next);
    drawing.current?.querySelector<HTMLElement>(`[data-fdn="${CSS.escape(next)}"]`)?.focus();
  }
  return (
    <div className="vm-stack">
      <div className="vm-scroll vm-drawing-frame">
        <div
          ref={drawing}
          role="tree"
          tabIndex={-1}
          aria-label={t`Drawing of ${element.name}`}
          className="vm-drawing"
          onKeyDown={press}
        >
          <DrawingContext
            value={{
              chosen,
              reached,
              onFocus: setFocused,
              onChoose,
              alarmOf: ({ fdn, ifIndex }) =>
                alarmOf(numbers, ifIndex === null ? [fdn] : [fdn, interfaceResource(element, ifIndex)]),
            }}
          >
            {shelves.map((shelf) => (
              <ShelfDrawing key={shelf.fdn} shelf={shelf} />
            ))}
          </DrawingContext>
        </div>
      </div>
      <DrawingLegend />
    </div>
  );
}
