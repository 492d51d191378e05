/** Series of boards: what names one, where it leads, and the values of a chart by unit. */
import type { BoardChart, BoardSeries, SeriesSource } from "@/api/types";
import { pb } from "@/paths";
import { counterText, SYSTEM } from "./counters";
import type { Series } from "./series";

type BoardSource = BoardChart["series"][number];
type Key = Pick<BoardSource, "sourceType" | "sourceId" | "object" | "counter">;

const sourceKey = ({ sourceType, sourceId, object, counter }: Key): string =>
  [sourceType, sourceId, object, counter].join("/");

/** A counter of an element, as boards name it. */
export const ofElement = ({ elementId, object, counter }: Series): SeriesSource => ({
  ...{ sourceType: "NETWORK_ELEMENT", sourceId: elementId },
  ...{ object, counter: counter as SeriesSource["counter"] },
});

/** Of what it counts: "core-1 · 1/1/1". */
const placeText = ({ sourceName, object }: BoardSource): string =>
  [sourceName, ...(object === SYSTEM ? [] : [object])].join(" · ");

export const sourceText = (source: BoardSource): string => `${placeText(source)} · ${counterText(source.counter)}`;

/** As elements count it, with its name on the chart; undefined: no element counts it, or it is gone. */
export const namedSeries = (source: BoardSource) =>
  source.sourceType === "NETWORK_ELEMENT" && source.sourceExists
    ? { elementId: source.sourceId, object: source.object, counter: source.counter, name: sourceText(source) }
    : undefined;

/** The page of what the series is of. */
export const sourceAddress = ({ sourceType, sourceId, object }: BoardSource): string =>
  sourceType === "VNF_INSTANCE" ? pb.instance(sourceId) : pb.counters(sourceId, object);

/** The series of a chart by what they count. */
export const byPlace = (series: readonly BoardSource[]): [place: string, series: BoardSource[]][] => [
  ...Map.groupBy(series, placeText),
];

/** Its title, or its series: "core-1 · 1/1/1 · traffic in, traffic out". */
export const chartText = ({ title, series }: BoardChart): string =>
  title ||
  byPlace(series)
    .map(([place, some]) => `${place} · ${some.map(({ counter }) => counterText(counter)).join(", ")}`)
    .join("; ");

interface ChartLine {
  name: string;
  /** Its place among the series of the chart. */
  look: number;
  values: readonly (number | null)[];
}

/** The lines of a chart for each unit; a series without values has no line. */
export function linesByUnit(chart: BoardChart, values: BoardSeries): [unit: string, lines: ChartLine[]][] {
  const known = new Map(values.series.map((each) => [sourceKey(each), each]));
  // The chart's title and its link say of what all of them are.
  const nameOf = byPlace(chart.series).length > 1 ? sourceText : ({ counter }: BoardSource) => counterText(counter);
  const lines = chart.series.flatMap((each, look) => {
    const found = known.get(sourceKey(each));
    return found ? [{ unit: found.unit, line: { name: nameOf(each), look, values: found.values } }] : [];
  });
  return [...Map.groupBy(lines, ({ unit }) => unit)].map(([unit, some]) => [unit, some.map(({ line }) => line)]);
}

/** The charts with that one moved by `by` places. */
export const chartMoved =
  (chartId: string, by: number) =>
  (charts: readonly BoardChart[]): BoardChart[] =>
    movedBy(
      charts,
      charts.findIndex(({ id }) => id === chartId),
      by,
    );

/** The list with the item at `from` moved by `by` places, as far as there are any. */
export function movedBy<Item>(items: readonly Item[], from: number, by: number): Item[] {
  const item = items[from];
  if (item === undefined) return [...items];
  const others = items.toSpliced(from, 1);
  return others.toSpliced(Math.min(Math.max(from + by, 0), others.length), 0, item);
}
