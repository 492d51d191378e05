import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import GripVerticalIcon from "@patternfly/react-icons/dist/esm/icons/grip-vertical-icon";
import PencilAltIcon from "@patternfly/react-icons/dist/esm/icons/pencil-alt-icon";
import TimesIcon from "@patternfly/react-icons/dist/esm/icons/times-icon";
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from "react";
import { Link } from "react-router";
import type { Board, BoardChart, BoardSeries } from "@/api/types";
import { LoadingNote } from "@/ui/LoadingNote";
import { Panel } from "@/ui/Panel";
import {
  byPlace,
  chartMoved,
  chartText,
  linesByUnit,
  movedBy,
  namedSeries,
  sourceAddress,
  sourceText,
} from "./boardSeries";
import { RenameDialog } from "./RenameDialog";
import { useThresholds } from "./thresholds";
import type { Arrange } from "./useBoard";

const LineChart = lazy(() => import("@/ui/LineChart"));

/** Values: number of places. */
const MOVES: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
  Home: -Infinity,
  End: Infinity,
};

/** A series whose source was deleted has no line. */
function Gone({ chart }: { chart: BoardChart }) {
  const gone = chart.series.filter(({ sourceExists }) => !sourceExists);
  if (gone.length === 0) return null;
  return (
    <p className="vm-quiet">
      {gone.map((each) => (
        <span key={each.sourceId + each.object + each.counter}>
          {each.sourceType === "VNF_INSTANCE" ? (
            <Trans>{sourceText(each)}: the VNF instance no longer exists.</Trans>
          ) : (
            <Trans>{sourceText(each)}: the element no longer exists.</Trans>
          )}{" "}
        </span>
      ))}
    </p>
  );
}

function Drawn({ chart, values, isFailed }: { chart: BoardChart } & Pick<Props, "values" | "isFailed">) {
  const thresholds = useThresholds(chart.series.map(namedSeries));
  if (!values)
    return isFailed ? (
      <p className="vm-quiet">
        <Trans>The counters could not be loaded.</Trans>
      </p>
    ) : (
      <LoadingNote>
        <Trans>Loading the counters…</Trans>
      </LoadingNote>
    );
  const byUnit = linesByUnit(chart, values);
  const isNew = byUnit.length === 0 && chart.series.some(({ sourceExists }) => sourceExists);
  return (
    <>
      <Gone chart={chart} />
      {isNew && (
        <LoadingNote>
          <Trans>Loading the counters…</Trans>
        </LoadingNote>
      )}
      <Suspense
        fallback={
          <LoadingNote>
            <Trans>Drawing…</Trans>
          </LoadingNote>
        }
      >
        {byUnit.map(([unit, lines]) => (
          <LineChart
            key={unit}
            label={chartText(chart)}
            unit={unit}
            at={values.at}
            lines={lines}
            thresholds={lines.flatMap(({ look }) => thresholds[look] ?? [])}
          />
        ))}
      </Suspense>
      <p className="vm-quiet vm-board-sources">
        {byPlace(chart.series.filter(({ sourceExists }) => sourceExists)).map(([place, [first]], index) => (
          <span key={place}>
            {index > 0 && ", "}
            {first && <Link to={sourceAddress(first)}>{place}</Link>}
          </span>
        ))}
      </p>
    </>
  );
}

interface HandleProps {
  name: string;
  place: number;
  count: number;
  onMove: (by: number) => void;
  onDrag: (is: boolean) => void;
}

/** The handle moves its chart by dragging, or by the arrow keys. */
function Handle({ name, place, count, onMove, onDrag }: HandleProps) {
  const handle = useRef<HTMLButtonElement>(null);
  const moved = useRef(false);
  useEffect(() => {
    if (moved.current) handle.current?.focus(); // A browser removes the focus from an element that moves in the document.
    moved.current = false;
  }, [place]);
  function keys(event: KeyboardEvent) {
    const by = MOVES[event.key];
    if (by === undefined) return;
    event.preventDefault();
    moved.current = true;
    onMove(by);
  }
  return (
    <Button
      ref={handle}
      variant="plain"
      size="sm"
      className="vm-board-handle"
      icon={<GripVerticalIcon />}
      aria-label={t`Move ${name}: place ${place} of ${count}`}
      aria-keyshortcuts="ArrowLeft ArrowRight Home End"
      title={t`Drag, or arrow keys: move`}
      onKeyDown={keys}
      // Only the handle can be dragged: in a chart the mouse zooms.
      draggable
      onDragStart={(event) => {
        const card = handle.current?.closest("[data-chart]");
        if (card) event.dataTransfer.setDragImage(card, 0, 0);
        onDrag(true);
      }}
      onDragEnd={() => onDrag(false)}
    />
  );
}

interface Props {
  board: Board;
  values: BoardSeries | undefined;
  /** The last reading of the values failed. */
  isFailed: boolean;
  /** Settles with the answer of the server. */
  onArrange: (change: Arrange) => Promise<unknown>;
}

/** A chart takes the place of the one on which it is dropped. */
function useDrag({ onArrange }: Pick<Props, "onArrange">) {
  const grid = useRef<HTMLDivElement>(null);
  const dragged = useRef<string>(undefined);
  const [over, setOver] = useState<string>();
  const drop = useEffectEvent((to: string) => {
    const from = dragged.current;
    if (!from || from === to) return;
    void onArrange((charts) => {
      const [was, is] = [from, to].map((id) => charts.findIndex((each) => each.id === id));
      return was === undefined || is === undefined || is < 0 ? charts : movedBy(charts, was, is - was);
    });
  });
  useEffect(() => {
    const element = grid.current;
    const chartAt = ({ target }: Event) =>
      target instanceof Element ? target.closest<HTMLElement>("[data-chart]")?.dataset["chart"] : undefined;
    const onOver = (event: Event) => {
      if (!dragged.current) return;
      event.preventDefault();
      setOver(chartAt(event));
    };
    const onDrop = (event: Event) => {
      event.preventDefault();
      const to = chartAt(event);
      if (to) drop(to);
      setOver(undefined);
    };
    element?.addEventListener("dragover", onOver);
    element?.addEventListener("drop", onDrop);
    return () => {
      element?.removeEventListener("dragover", onOver);
      element?.removeEventListener("drop", onDrop);
    };
  }, []);
  return {
    grid,
    over,
    drag: (id: string | undefined) => {
      dragged.current = id;
      setOver(undefined);
    },
  };
}

interface CardActionsProps extends Pick<Props, "onArrange"> {
  chart: BoardChart;
  place: number;
  count: number;
  onDrag: (id: string | undefined) => void;
}

function CardActions({ chart, place, count, onArrange, onDrag }: CardActionsProps) {
  const [renaming, setRenaming] = useState(false);
  const name = chartText(chart);
  const rename = (title: string) =>
    onArrange((charts) => charts.map((each) => (each.id === chart.id ? { ...each, title } : each)));
  return (
    <span className="vm-buttons">
      <Handle
        name={name}
        place={place}
        count={count}
        onMove={(by) => void onArrange(chartMoved(chart.id, by))}
        onDrag={(is) => onDrag(is ? chart.id : undefined)}
      />
      <Button
        variant="plain"
        size="sm"
        icon={<PencilAltIcon />}
        aria-label={t`Rename ${name}`}
        onClick={() => setRenaming(true)}
      />
      <Button
        variant="plain"
        size="sm"
        icon={<TimesIcon />}
        aria-label={t`Remove ${name}`}
        onClick={() => void onArrange((charts) => charts.filter(({ id }) => id !== chart.id))}
      />
      {renaming && (
        <RenameDialog
          title={t`Rename the chart`}
          label={t`Chart title`}
          value={chart.title}
          optional
          onSave={rename}
          onClose={() => setRenaming(false)}
        />
      )}
    </span>
  );
}

/** Only the owner can move, rename and remove charts. */
export function BoardCharts({ board: { charts, isOwn }, values, isFailed, onArrange }: Props) {
  const { grid, over, drag } = useDrag({ onArrange });
  return (
    <div className="vm-columns vm-board" ref={grid}>
      {charts.map((chart, at) => (
        <div key={chart.id} data-chart={chart.id} className={over === chart.id ? "vm-board-over" : undefined}>
          <Panel
            title={chartText(chart)}
            actions={
              isOwn ? (
                <CardActions chart={chart} place={at + 1} count={charts.length} onArrange={onArrange} onDrag={drag} />
              ) : undefined
            }
          >
            <Drawn chart={chart} values={values} isFailed={isFailed} />
          </Panel>
        </div>
      ))}
    </div>
  );
}
