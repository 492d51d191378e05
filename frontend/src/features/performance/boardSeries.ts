import type { BoardChart, BoardSeries, SeriesSource } from "@/api/types";
import { pb } from "@/paths";
import { counterText, SYSTEM } from "./counters";
import type { Series } from "./series";

type BoardSource = BoardChart["series"][number];
type Key = Pick<BoardSource, "sourceType" | "sourceId" | "object" | "counter">;

export const sourceKey = ({ sourceType, sourceId, object, counter }: Key): string =>
  [sourceType, sourceId, object, counter].join("/");

export const ofElement = ({ elementId, object, counter }: Series): SeriesSource => ({
  ...{ sourceType: "NETWORK_ELEMENT", sourceId: elementId },
  ...{ object, counter: counter as SeriesSource["counter"] },
});

/** "core-1 · 1/1/1" */
const placeText = ({ sourceName, object }: BoardSource): string =>
  [sourceName, ...(object === SYSTEM ? [] : [object])].join(" · ");

export const sourceText = (source: BoardSource): string => `${placeText(source)} · ${counterText(source.counter)}`;

/** Undefined if the series is not one of an element, or its element was deleted. */
export const namedSeries = (source: BoardSource) =>
  source.sourceType === "NETWORK_ELEMENT" && source.sourceExists
    ? { elementId: source.sourceId, object: source.object, counter: source.counter, name: sourceText(source) }
    : undefined;

export const sourceAddress = ({ sourceType, sourceId, object }: BoardSource): string =>
  sourceType === "VNF_INSTANCE" ? pb.instance(sourceId) : pb.counters(sourceId, object);

/** Groups the series of a chart by what they count. */
export const byPlace = (series: readonly BoardSource[]): [place: string, series: BoardSource[]][] => [
  ...Map.groupBy(series, placeText),
];

/** Without a title, its series: "core-1 · 1/1/1 · traffic in, traffic out". */
export const chartText = ({ title, series }: BoardChart): string =>
  title ||
  byPlace(series)
    .map(([place, some]) => `${place} · ${some.map(({ counter }) => counterText(counter)).join(", ")}`)
    .join("; ");

interface ChartLine {
  name: string;
  /** Index among the series of the chart. */
  look: number;
  values: readonly (number | null)[];
}

/** A series without values has no line. */
export function linesByUnit(chart: BoardChart, values: BoardSeries): [unit: string, lines: ChartLine[]][] {
  const known = new Map(values.series.map((each) => [sourceKey(each), each]));
  // If all series have the same source, the chart's title names it.
  const nameOf = byPlace(chart.series).length > 1 ? sourceText : ({ counter }: BoardSource) => counterText(counter);
  const lines = chart.series.flatMap((each, look) => {
    const found = known.get(sourceKey(each));
    return found ? [{ unit: found.unit, line: { name: nameOf(each), look, values: found.values } }] : [];
  });
  return [...Map.groupBy(lines, ({ unit }) => unit)].map(([unit, some]) => [unit, some.map(({ line }) => line)]);
}

export const chartMoved =
  (chartId: string, by: number) =>
  (charts: readonly BoardChart[]): BoardChart[] =>
    movedBy(
      charts,
      charts.findIndex(({ id }) => id === chartId),
      by,
    );

/** Stops at the ends of the list. */
export function movedBy<Item>(items: readonly Item[], from: number, by: number): Item[] {
  const item = items[from];
  if (item === undefined) return [...items];
  const others = items.toSpliced(from, 1);
  return others.toSpliced(Math.min(Math.max(from + by, 0), others.length), 0, item);
}
