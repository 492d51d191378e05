import { t } from "@lingui/core/macro";
import { Button } from "@patternfly/react-core";
import CameraIcon from "@patternfly/react-icons/dist/esm/icons/camera-icon";
import DownloadIcon from "@patternfly/react-icons/dist/esm/icons/download-icon";
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import {
  dataOf,
  DASHES,
  HEIGHT,
  lookOf,
  optionsOf,
  SECONDS,
  THRESHOLD_DASH,
  type Chart,
  type Line,
  type Threshold,
} from "./chartDrawing";
import { chartCsv, chartPicture } from "./chartExport";
import { percentile95, unitText, valueWithUnit } from "./chartValues";
import { download } from "./download";
import { exactTime } from "./format";
import { useIsDark, useIsHighContrast } from "./theme";
import { useIsUtc } from "./zone";

/** "26 Nov 2026, 14:02: CPU 12 %, memory unknown" */
function pointText(at: string, unit: string, lines: readonly Line[], point: number): string {
  const values = lines.map(({ name, values: all }) => {
    const value = all[point] ?? null;
    return `${name} ${value === null ? t`unknown` : valueWithUnit(value, unit)}`;
  });
  return `${exactTime(at)}: ${values.join(", ")}`;
}

interface KeyProps {
  line: Line;
  index: number;
  unit: string;
  point: number;
  isTally: boolean;
}

function Key({ line, index, unit, point, isTally }: KeyProps) {
  const value = line.values[point] ?? null;
  const high = isTally ? undefined : percentile95(line.values);
  return (
    <span className="vm-chart-key">
      <svg width="28" height="10" aria-hidden="true">
        <path
          className={
            line.tone ? `vm-chart-stroke vm-color-${line.tone}` : `vm-chart-stroke vm-line-${lookOf(line, index)}`
          }
          strokeDasharray={DASHES[lookOf(line, index)]?.join(" ")}
          d="M0 5h28"
        />
      </svg>
      {line.name} <strong className="vm-number">{value === null ? "—" : valueWithUnit(value, unit)}</strong>
      {high !== undefined && <span className="vm-quiet">{t`p95 ${valueWithUnit(high, unit)}`}</span>}
    </span>
  );
}

const ThresholdKey = ({ threshold, unit }: { threshold: Threshold; unit: string }) => (
  <span className="vm-chart-key">
    <svg width="28" height="10" aria-hidden="true">
      <path className="vm-chart-stroke vm-color-red" strokeDasharray={THRESHOLD_DASH.join(" ")} d="M0 5h28" />
    </svg>
    {threshold.name} <strong className="vm-number">{valueWithUnit(threshold.value, unit)}</strong>
    {threshold.hysteresis > 0 && <span className="vm-quiet">± {valueWithUnit(threshold.hysteresis, unit)}</span>}
    {typeof threshold.clearValue === "number" && threshold.clearValue !== threshold.value && (
      <span className="vm-quiet">{t`clears at ${valueWithUnit(threshold.clearValue, unit)}`}</span>
    )}
  </span>
);

/** The minute that has just begun has no values yet. */
function lastKnown(lines: readonly Line[], last: number): number {
  const found = Math.max(...lines.map(({ values }) => values.findLastIndex((value) => value !== null)));
  return found >= 0 ? found : last;
}

interface ExportProps {
  chart: Chart;
  picture: () => Promise<Blob | null>;
}

function Export({ chart, picture }: ExportProps) {
  const { label } = chart;
  async function offerPicture() {
    const blob = await picture();
    if (blob) download(`${label}.png`, blob, "image/png");
  }
  return (
    <span className="vm-buttons">
      <Button
        variant="plain"
        size="sm"
        icon={<DownloadIcon />}
        aria-label={t`Export chart ${label} as CSV`}
        title={t`Export as CSV`}
        onClick={() => download(`${label}.csv`, chartCsv(chart), "text/csv")}
      />
      <Button
        variant="plain"
        size="sm"
        icon={<CameraIcon />}
        aria-label={t`Export chart ${label} as PNG`}
        title={t`Export as PNG`}
        onClick={() => void offerPicture()}
      />
    </span>
  );
}

/** Draws again when colours change and keeps the zoom when values arrive. In tests there is no canvas to draw on. */
function useChart(props: Chart, figure: RefObject<HTMLElement | null>, onPoint: (point: number | null) => void) {
  const chart = useRef<uPlot>(undefined);
  const [isUtc, dark, contrast] = [useIsUtc(), useIsDark(), useIsHighContrast()];
  const { at, lines, unit, thresholds } = props;
  const looks = lines.map(({ name, look, tone }) => [name, look, tone].join()).join(";");
  const watched = thresholds?.map(({ name, value }) => [name, value].join()).join(";");
  useEffect(() => {
    const parent = figure.current?.querySelector<HTMLElement>(".vm-chart-points");
    if (!figure.current || !parent || typeof Path2D === "undefined") return undefined;
    const drawn = new uPlot(optionsOf(figure.current, props, isUtc, onPoint), dataOf(props), parent);
    chart.current = drawn;
    const observer = new ResizeObserver(() =>
      drawn.setSize({ width: Math.max(parent.clientWidth, 1), height: HEIGHT }),
    );
    observer.observe(parent);
    return () => {
      observer.disconnect();
      drawn.destroy();
      chart.current = undefined;
    };
    // The effect below sets new values.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [looks, watched, unit, isUtc, dark, contrast]);
  useEffect(() => {
    const drawn = chart.current;
    if (!drawn) return;
    const [times] = drawn.data;
    const { min, max } = drawn.scales["x"] ?? {};
    const isZoomed = typeof min === "number" && (min !== times[0] || max !== times.at(-1));
    drawn.setData(dataOf({ at, lines }), !isZoomed);
    if (isZoomed) drawn.redraw();
  }, [at, lines]);
  return chart;
}

/** Lines have gaps where values are unknown. Arrow keys read the points, and a table contains all values. */
export default function LineChart(props: Chart) {
  const { label, unit, at, lines, thresholds = [], isTally = false } = props;
  const figure = useRef<HTMLElement>(null);
  const [point, setPoint] = useState<number | null>(null);
  const chart = useChart(props, figure, setPoint);
  const last = Math.max(0, at.length - 1);
  const read = Math.min(point ?? lastKnown(lines, last), last);
  // Such as a time before the first poll, or in the future.
  const isEmpty = lines.every(({ values }) => values.every((value) => value === null));
  const moment = isEmpty ? undefined : at[read];
  const words = moment === undefined ? t`No values in this time` : pointText(moment, unit, lines, read);
  const picture = async () =>
    figure.current && chart.current ? await chartPicture(figure.current, chart.current, props) : null;
  function keys(event: KeyboardEvent) {
    const to = {
      ArrowLeft: read - 1,
      ArrowRight: read + 1,
      PageUp: read + 10,
      PageDown: read - 10,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.min(last, Math.max(0, to));
    setPoint(next);
    const drawn = chart.current;
    const time = at[next];
    if (drawn && time) drawn.setCursor({ left: drawn.valToPos(Date.parse(time) / SECONDS, "x"), top: HEIGHT / 3 });
  }
  return (
    <figure className="vm-chart" ref={figure}>
      <figcaption>
        {/* The surrounding panel has the name of the chart. */}
        <span>{unitText(unit) || label}</span>
        {lines.map((line, index) => (
          <Key key={line.name} line={line} index={index} unit={unit} point={read} isTally={isTally} />
        ))}
        {thresholds.map((threshold) => (
          <ThresholdKey key={`${threshold.name} ${threshold.value}`} threshold={threshold} unit={unit} />
        ))}
        <span className="vm-chart-said vm-number">{moment === undefined ? words : exactTime(moment)}</span>
        <Export chart={props} picture={picture} />
      </figcaption>
      <div
        className="vm-chart-points"
        role="slider"
        tabIndex={0}
        aria-label={t`${label}: point in time`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={read}
        aria-valuetext={words}
        title={t`Drag: zoom. Double-click: reset.`}
        onKeyDown={keys}
      />
    </figure>
  );
}
