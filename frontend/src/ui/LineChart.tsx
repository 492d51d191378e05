import { t } from "@lingui/core/macro";
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { percentile95, tickText, unitText, valueWithUnit } from "./chartValues";
import { exactTime } from "./format";
import { useIsDark, useIsHighContrast } from "./theme";
import { useIsUtc } from "./zone";

export interface Line {
  name: string;
  /** Which of the looks it has, where others have the ones before; its place among the lines where it is not given. */
  look?: number;
  /** A colour of a state in place of that of its look, for lines that are severities. */
  tone?: "red" | "orangered" | "grey";
  /** null: nothing is known of that moment; the line has a gap there. */
  values: readonly (number | null)[];
}
interface Props {
  label: string;
  /** As the API has it: "octet/s" is drawn as bit/s. */
  unit: string;
  /** Times of the values, as ISO 8601. */
  at: readonly string[];
  lines: readonly Line[];
}

const HEIGHT = 220;
const AXIS_WIDTH = 84;
/** Not all users can distinguish colours. */
const DASHES = [[], [6, 3], [2, 3], [10, 3, 2, 3], [1, 4], [14, 4]];
const lookOf = ({ look }: Line, index: number): number => (look ?? index) % DASHES.length;
const SECONDS = 1000;
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
/** From so many seconds between two ticks: what stands at a tick, and what is added where a year or a day begins. */
const TICKS: [from: number, text: string, year: string | null, day: string | null][] = [
  [365 * DAY, "{YYYY}", null, null],
  [28 * DAY, "{MMM}", "\n{YYYY}", null],
  [DAY, "{D} {MMM}", "\n{YYYY}", null],
  [MINUTE, "{HH}:{mm}", "\n{D} {MMM} {YYYY}", "\n{D} {MMM}"],
  [1, "{HH}:{mm}:{ss}", "\n{D} {MMM} {YYYY}", "\n{D} {MMM}"],
];

/** "26 Nov 2026, 14:02: CPU 12 %, memory unknown" */
function pointText(at: string, unit: string, lines: readonly Line[], point: number): string {
  const values = lines.map(({ name, values: all }) => {
    const value = all[point] ?? null;
    return `${name} ${value === null ? t`unknown` : valueWithUnit(value, unit)}`;
  });
  return `${exactTime(at)}: ${values.join(", ")}`;
}

/** A line's name, its value at the crosshair, and its 95th percentile over all that is shown. */
function Key({ line, index, unit, point }: { line: Line; index: number; unit: string; point: number }) {
  const value = line.values[point] ?? null;
  const high = percentile95(line.values);
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

/** Colours of the theme, as the page has computed them: a canvas knows no style sheets. */
function coloursOf(figure: HTMLElement) {
  const strokes = [...figure.querySelectorAll(".vm-chart-stroke")].map((key) => getComputedStyle(key).stroke);
  const { color, borderColor } = getComputedStyle(figure);
  return { strokes, text: color, grid: borderColor };
}

function optionsOf(figure: HTMLElement, props: Props, isUtc: boolean, onPoint: (point: number | null) => void) {
  const { strokes, text, grid } = coloursOf(figure);
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  const options: uPlot.Options = {
    width: Math.max(figure.clientWidth, 1),
    height: HEIGHT,
    legend: { show: false },
    // The crosshair and a zoom are those of all charts of the page.
    cursor: { sync: { key: "vnfm" }, drag: { x: true, y: false }, points: { size: 6 } },
    scales: { y: { range: (_chart, _low, high) => [0, props.unit === "%" ? Math.max(100, high) : high * 1.05 || 1] } },
    axes: [
      { ...axis, values: TICKS.map(([from, text, year, day]) => [from, text, year, null, day, null, null, null, 1]) },
      { ...axis, size: AXIS_WIDTH, values: (_chart, splits) => splits.map((each) => tickText(each, props.unit)) },
    ],
    series: [
      {},
      ...props.lines.map((line, index) => ({
        stroke: strokes[index] ?? text,
        width: 1.5,
        dash: DASHES[lookOf(line, index)] ?? [],
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [(chart) => onPoint(chart.cursor.idx ?? null)] },
    ...(isUtc ? { tzDate: (at: number) => uPlot.tzDate(new Date(at * SECONDS), "Etc/UTC") } : {}),
  };
  return options;
}

const dataOf = ({ at, lines }: Pick<Props, "at" | "lines">): uPlot.AlignedData => [
  at.map((each) => Date.parse(each) / SECONDS),
  ...lines.map(({ values }) => [...values]),
];

/** Draws the chart, again when the colours change, and keeps a zoom when values come; without a canvas, as in tests, none. */
function useChart(props: Props, figure: RefObject<HTMLElement | null>, onPoint: (point: number | null) => void) {
  const chart = useRef<uPlot>(undefined);
  const [isUtc, dark, contrast] = [useIsUtc(), useIsDark(), useIsHighContrast()];
  const { at, lines, unit } = props;
  const looks = lines.map(({ name, look, tone }) => [name, look, tone].join()).join(";");
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
    // New values are set by the effect below.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [looks, unit, isUtc, dark, contrast]);
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

/** Lines over time, with gaps where nothing is known. The points are read by the arrow keys; a table next to it says all. */
export default function LineChart(props: Props) {
  const { label, unit, at, lines } = props;
  const figure = useRef<HTMLElement>(null);
  const [point, setPoint] = useState<number | null>(null);
  const chart = useChart(props, figure, setPoint);
  const last = Math.max(0, at.length - 1);
  const read = Math.min(point ?? last, last);
  const moment = at[read];
  const words = moment === undefined ? t`No data` : pointText(moment, unit, lines, read);
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
        <span>
          {label}, {unitText(unit)}
        </span>
        {lines.map((line, index) => (
          <Key key={line.name} line={line} index={index} unit={unit} point={read} />
        ))}
        {moment !== undefined && <span className="vm-chart-said vm-number">{exactTime(moment)}</span>}
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
