import { t } from "@lingui/core/macro";
import { useState, type KeyboardEvent, type PointerEvent } from "react";
import { dayTime, exactTime, minuteTime, number, shortNumber } from "./format";
import { useIsUtc } from "./zone";

export interface Line {
  name: string;
  /** Which of the looks it has, where others have the ones before; its place among the lines where it is not given. */
  look?: number;
  /** null: nothing is known of that moment; the line has a gap there. */
  values: readonly (number | null)[];
}
interface Props {
  label: string;
  unit: string;
  /** Times of the values, as ISO 8601. */
  at: readonly string[];
  lines: readonly Line[];
}

const WIDTH = 640;
const HEIGHT = 180;
const LEFT = 64;
const BOTTOM = 22;
const RIGHT = 8;
const TOP = 8;
const HALF_DAY_MS = 12 * 3_600_000;

/** Both ends of the axis in words: over more than half a day the time alone tells nothing. */
export function endsOf(first: string, last: string): readonly [string, string] {
  const [from, to] = [new Date(first), new Date(last)];
  const write = to.getTime() - from.getTime() > HALF_DAY_MS ? dayTime : minuteTime;
  return [write(from), write(to)];
}

/** SVG path of the known values, with a gap at each unknown one. */
export function pathOf(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let path = "";
  values.forEach((value, index) => {
    if (value === null) return;
    const before = index > 0 ? values[index - 1] : null;
    const joined = before !== null && before !== undefined;
    path += `${joined ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    // A lone value is a dot.
    if (!joined && (values[index + 1] ?? null) === null) path += "h0.1";
  });
  return path;
}

/** Marks of points, since not all users can distinguish colours and dashes. */
const MARKS = [
  "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z",
  "M-3 -3h6v6h-6z",
  "M0 -4L4 3h-8z",
  "M0 -4L4 0L0 4L-4 0z",
  "M-4 0h8M0 -4v8",
  "M-3 -3l6 6M3 -3l-6 6",
] as const;
const MARKS_IN_A_LINE = 12;
const lookOf = ({ look }: Line, index: number): number => (look ?? index) % MARKS.length;
const rounded = (value: number): string => number(Math.round(value * 100) / 100);

/** "Load at 14:02, %: processor 12, memory unknown" */
function pointText(at: string, unit: string, lines: readonly Line[], point: number): string {
  const values = lines.map(({ name, values: all }) => {
    const value = all[point] ?? null;
    return `${name} ${value === null ? t`unknown` : `${rounded(value)} ${unit}`}`;
  });
  return `${exactTime(at)}: ${values.join(", ")}`;
}

function Key({ line, index }: { line: Line; index: number }) {
  const look = lookOf(line, index);
  return (
    <span className={`vm-chart-key vm-line-${look}`}>
      <svg width="28" height="10" aria-hidden="true">
        <path d="M0 5h28" />
        <path className="vm-chart-mark" d={MARKS[look]} transform="translate(14 5)" />
      </svg>
      {line.name}
    </span>
  );
}

interface Scales {
  x: (index: number) => number;
  y: (value: number) => number;
}

/** A line with its marks, of which there are some only: not at the same places as another line's. */
function Drawn({ line, index, x, y }: Scales & { line: Line; index: number }) {
  const look = lookOf(line, index);
  const apart = Math.max(1, Math.ceil(line.values.length / MARKS_IN_A_LINE));
  return (
    <g className={`vm-line-${look}`}>
      <path className="vm-chart-line" d={pathOf(line.values, x, y)} />
      {line.values.map((value, place) =>
        value === null || (place + look) % apart !== 0 ? null : (
          <path
            key={place}
            className="vm-chart-mark"
            d={MARKS[look]}
            transform={`translate(${x(place).toFixed(1)} ${y(value).toFixed(1)})`}
          />
        ),
      )}
    </g>
  );
}

function Axes({ top, at, y }: { top: number; at: readonly string[]; y: Scales["y"] }) {
  const [first, last] = [at[0], at.at(-1)];
  const ends = first && last && endsOf(first, last);
  return (
    <>
      {[0, top / 2, top].map((value) => (
        <g key={value} className="vm-chart-grid">
          <path d={`M${LEFT} ${y(value)}H${WIDTH - RIGHT}`} />
          <text x={LEFT - 6} y={y(value) + 4} textAnchor="end">
            {shortNumber(value)}
          </text>
        </g>
      ))}
      {ends && (
        <g className="vm-chart-grid">
          <text x={LEFT} y={HEIGHT - 5}>
            {ends[0]}
            {first && <title>{exactTime(first)}</title>}
          </text>
          <text x={WIDTH - RIGHT} y={HEIGHT - 5} textAnchor="end">
            {ends[1]}
            {last && <title>{exactTime(last)}</title>}
          </text>
        </g>
      )}
    </>
  );
}

/** Which point is looked at: by the arrow keys, or under the pointer. */
function usePoint(count: number) {
  const [point, setPoint] = useState<number>();
  const last = count - 1;
  const within = (index: number) => Math.min(last, Math.max(0, index));
  const shown = point === undefined ? undefined : within(point);
  function keys(event: KeyboardEvent) {
    const from = shown ?? last;
    const to = {
      ArrowLeft: from - 1,
      ArrowRight: from + 1,
      PageUp: from + 10,
      PageDown: from - 10,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setPoint(within(to));
  }
  function under(event: PointerEvent<HTMLElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = (((event.clientX - left) / width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    setPoint(within(Math.round(share * last)));
  }
  return { shown, keys, under, begin: () => setPoint((before) => before ?? last), leave: () => setPoint(undefined) };
}

/** Lines over time, with gaps where nothing is known. The points are read by the arrow keys; a table next to it says all. */
export default function LineChart({ label, unit, at, lines }: Props) {
  const { shown, keys, under, begin, leave } = usePoint(at.length);
  const highest = Math.max(0, ...lines.flatMap(({ values }) => values.filter((value) => value !== null)));
  useIsUtc();
  const top = unit === "%" ? Math.max(100, highest) : highest || 1;
  const x = (index: number) => LEFT + (index / Math.max(1, at.length - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);
  const read = shown ?? at.length - 1;
  const words = at[read] === undefined ? t`No data` : pointText(at[read], unit, lines, read);
  return (
    <figure className="vm-chart">
      <figcaption>
        {label}, {unit}
        {lines.map((line, index) => (
          <Key key={line.name} line={line} index={index} />
        ))}
      </figcaption>
      <div
        className="vm-chart-points"
        role="slider"
        tabIndex={0}
        aria-label={t`${label}: point in time`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, at.length - 1)}
        aria-valuenow={Math.max(0, read)}
        aria-valuetext={words}
        onKeyDown={keys}
        onFocus={begin}
        onBlur={leave}
        onPointerMove={under}
        onPointerLeave={leave}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
          <Axes top={top} at={at} y={y} />
          {lines.map((line, index) => (
            <Drawn key={line.name} line={line} index={index} x={x} y={y} />
          ))}
          {shown !== undefined && (
            <path className="vm-chart-at" d={`M${x(shown).toFixed(1)} ${TOP}V${HEIGHT - BOTTOM}`} />
          )}
        </svg>
      </div>
      <p className="vm-chart-said" aria-hidden="true">
        {shown === undefined ? "\u00a0" : words}
      </p>
    </figure>
  );
}
