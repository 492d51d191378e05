/** uPlot draws lines with gaps, the thresholds and the axes. */
import uPlot from "uplot";
import { tickText } from "./chartValues";

export interface Line {
  name: string;
  /** Index of colour and dashes; the default is the line's position. */
  look?: number;
  /** Severities have the colour of their state. */
  tone?: "red" | "orangered" | "grey";
  /** null is unknown and leaves a gap. */
  values: readonly (number | null)[];
}
/** `value` is in the unit of the chart. */
export interface Threshold {
  name: string;
  value: number;
  /** Half the width of the band in which nothing is crossed; 0: none. */
  hysteresis: number;
  /** The alarm clears at this value. */
  clearValue?: number | null;
}
export interface Chart {
  label: string;
  /** The unit of the API; "octet/s" is drawn as bit/s. */
  unit: string;
  /** Times of the values, as ISO 8601. */
  at: readonly string[];
  lines: readonly Line[];
  thresholds?: readonly Threshold[] | undefined;
  /** The lines count events, for which a 95th percentile means nothing. */
  isTally?: boolean;
}

export const HEIGHT = 220;
export const SECONDS = 1000;
const AXIS_WIDTH = 84;
/** Dashes help users who cannot distinguish colours. */
export const DASHES = [[], [6, 3], [2, 3], [10, 3, 2, 3], [1, 4], [14, 4]];
export const THRESHOLD_DASH = [8, 4];
export const lookOf = ({ look }: Line, index: number): number => (look ?? index) % DASHES.length;
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
/** `from` is the least distance of two ticks in seconds; `year` and `day` are added where one begins. */
const TICKS: [from: number, text: string, year: string | null, day: string | null][] = [
  [365 * DAY, "{YYYY}", null, null],
  [28 * DAY, "{MMM}", "\n{YYYY}", null],
  [DAY, "{D} {MMM}", "\n{YYYY}", null],
  [MINUTE, "{HH}:{mm}", "\n{D} {MMM} {YYYY}", "\n{D} {MMM}"],
  [1, "{HH}:{mm}:{ss}", "\n{D} {MMM} {YYYY}", "\n{D} {MMM}"],
];

/** Distances of ticks for values that are whole numbers. */
const WHOLE = [1, 2, 5]
  .flatMap((each) => [1, 10, 100, 1000, 10_000].map((power) => each * power))
  .sort((a, b) => a - b);

/** A canvas does not use style sheets, so the computed colours of the page are read. */
export function coloursOf(figure: HTMLElement) {
  const strokes = [...figure.querySelectorAll(".vm-chart-stroke")].map((key) => getComputedStyle(key).stroke);
  const { color, borderColor, backgroundColor } = getComputedStyle(figure);
  return { strokes, text: color, grid: borderColor, background: backgroundColor };
}

function drawThresholds(chart: uPlot, thresholds: readonly Threshold[], colours: string[]) {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash(THRESHOLD_DASH.map((each) => each * devicePixelRatio));
  thresholds.forEach(({ value }, index) => {
    const y = Math.round(chart.valToPos(value, "y", true));
    ctx.strokeStyle = colours[index] ?? "";
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  });
  ctx.restore();
}

/** The axis begins at 0, includes 100 % and has room for all thresholds. */
const topOf = (high: number | null, unit: string, thresholds: readonly Threshold[]): number => {
  const highest = Math.max(high ?? 0, ...thresholds.map(({ value }) => value));
  return unit === "%" ? Math.max(100, highest) : highest * 1.05 || 1;
};

export function optionsOf(
  figure: HTMLElement,
  { unit, lines, thresholds = [], isTally = false }: Chart,
  isUtc: boolean,
  onPoint: (point: number | null) => void,
) {
  const { strokes, text, grid } = coloursOf(figure);
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  const options: uPlot.Options = {
    width: Math.max(figure.clientWidth, 1),
    height: HEIGHT,
    legend: { show: false },
    // All charts of the page share crosshair and zoom.
    cursor: { sync: { key: "vnfm" }, drag: { x: true, y: false }, points: { size: 6 } },
    scales: { y: { range: (_chart, _low, high) => [0, topOf(high, unit, thresholds)] } },
    axes: [
      { ...axis, values: TICKS.map(([from, text, year, day]) => [from, text, year, null, day, null, null, null, 1]) },
      {
        ...axis,
        size: AXIS_WIDTH,
        ...(isTally ? { incrs: WHOLE } : {}),
        values: (_chart, splits) => splits.map((each) => tickText(each, unit)),
      },
    ],
    series: [
      {},
      ...lines.map((line, index) => ({
        stroke: strokes[index] ?? text,
        width: 1.5,
        dash: DASHES[lookOf(line, index)] ?? [],
        points: { show: false },
      })),
    ],
    hooks: {
      draw: [(chart) => drawThresholds(chart, thresholds, strokes.slice(lines.length))],
      setCursor: [(chart) => onPoint(chart.cursor.idx ?? null)],
    },
    ...(isUtc ? { tzDate: (at: number) => uPlot.tzDate(new Date(at * SECONDS), "Etc/UTC") } : {}),
  };
  return options;
}

export const dataOf = ({ at, lines }: Pick<Chart, "at" | "lines">): uPlot.AlignedData => [
  at.map((each) => Date.parse(each) / SECONDS),
  ...lines.map(({ values }) => [...values]),
];
