import { exactTime, number } from "@/ui/format";

export interface Line {
  name: string;
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
const TOP = 8;
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

const DAY_CLOCK = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const HALF_DAY_MS = 12 * 3_600_000;

/** Both ends of the axis in words: over more than half a day the time alone tells nothing. */
export function endsOf(first: string, last: string): readonly [string, string] {
  const [from, to] = [new Date(first), new Date(last)];
  const clock = to.getTime() - from.getTime() > HALF_DAY_MS ? DAY_CLOCK : CLOCK;
  return [clock.format(from), clock.format(to)];
}

/** A path of the known values; an unknown one ends it, and the next known one begins anew. */
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

/** Lines over time. The table beside it says the same; this is for the eye. */
export default function LineChart({ label, unit, at, lines }: Props) {
  const highest = Math.max(0, ...lines.flatMap(({ values }) => values.filter((value) => value !== null)));
  const top = unit === "%" ? 100 : highest || 1;
  const x = (index: number) => LEFT + (index / Math.max(1, at.length - 1)) * (WIDTH - LEFT - 4);
  const y = (value: number) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);
  const first = at[0];
  const last = at.at(-1);
  const ends = first && last ? endsOf(first, last) : undefined;
  return (
    <figure className="vm-chart">
      <figcaption>
        {label}, {unit}
        {lines.map(({ name }, index) => (
          <span key={name} className={`vm-chart-key vm-line-${index}`}>
            <svg width="24" height="8" aria-hidden="true">
              <path d="M0 4h24" />
            </svg>
            {name}
          </span>
        ))}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {[0, top / 2, top].map((value) => (
          <g key={value} className="vm-chart-grid">
            <path d={`M${LEFT} ${y(value)}H${WIDTH - 4}`} />
            <text x={LEFT - 6} y={y(value) + 4} textAnchor="end">
              {number(Math.round(value * 100) / 100)}
            </text>
          </g>
        ))}
        {ends && first && last && (
          <g className="vm-chart-grid">
            <text x={LEFT} y={HEIGHT - 5}>
              {ends[0]}
              <title>{exactTime(first)}</title>
            </text>
            <text x={WIDTH - 4} y={HEIGHT - 5} textAnchor="end">
              {ends[1]}
              <title>{exactTime(last)}</title>
            </text>
          </g>
        )}
        {lines.map(({ name, values }, index) => (
          <path key={name} className={`vm-chart-line vm-line-${index}`} d={pathOf(values, x, y)} />
        ))}
      </svg>
    </figure>
  );
}
