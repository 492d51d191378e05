/** The address holds the compared series and the time range. */
import { t } from "@lingui/core/macro";
import { useAddress } from "@/ui/address";
import { counterText, SYSTEM } from "./counters";

export interface Series {
  elementId: string;
  counter: string;
  object: string;
}
export interface Range {
  minutes: number;
  /** ISO 8601; "" means now. */
  until: string;
}

/** More lines are indistinguishable. */
export const MOST_SERIES = 6;

export const PERIODS: readonly (readonly [minutes: number, text: string])[] = [
  [15, t`15 minutes`],
  [60, t`1 hour`],
  [360, t`6 hours`],
  [1440, t`1 day`],
  [10_080, t`1 week`],
];
const USUAL_MINUTES = 60;
/** The user has removed the default series. */
const NO_SERIES = "none";

export const seriesKey = ({ elementId, counter, object }: Series): string =>
  [elementId, counter, object].map(encodeURIComponent).join("/");

function seriesOf(key: string): Series | undefined {
  try {
    const [elementId, counter, object] = key.split("/").map(decodeURIComponent);
    return elementId && counter && object ? { elementId, counter, object } : undefined;
  } catch {
    return undefined; // The address is incomplete.
  }
}

export function readSeries(text: string): Series[] {
  const found = text.split(",").flatMap((key) => seriesOf(key) ?? []);
  return [...new Map(found.map((each) => [seriesKey(each), each])).values()].slice(0, MOST_SERIES);
}
export const writeSeries = (series: readonly Series[]): string => series.map(seriesKey).join(",");

export const seriesText = ({ object, counter }: Series, elementName: string): string =>
  [elementName, ...(object === SYSTEM ? [] : [object]), counterText(counter)].join(" · ");

export interface Chosen {
  series: readonly Series[];
  range: Range;
  add: (series: Series) => void;
  remove: (series: Series) => void;
  setRange: (range: Range) => void;
}

export function useRange(): [Range, (range: Range) => void] {
  const [params, setAddress] = useAddress();
  const minutes = Number(params.get("minutes"));
  const until = params.get("until") ?? "";
  return [
    {
      minutes: PERIODS.some(([each]) => each === minutes) ? minutes : USUAL_MINUTES,
      until: Number.isNaN(Date.parse(until)) ? "" : until,
    },
    (range) =>
      setAddress({ minutes: range.minutes === USUAL_MINUTES ? "" : String(range.minutes), until: range.until }),
  ];
}

/** `initial` is used while the address names no series. */
export function useChosen(initial: readonly Series[] = []): Chosen {
  const [params, setAddress] = useAddress();
  const text = params.get("series");
  const series = text === null ? initial.slice(0, MOST_SERIES) : readSeries(text);
  const [range, setRange] = useRange();
  const keep = (next: readonly Series[]) =>
    setAddress({ series: writeSeries(next) || (initial.length > 0 ? NO_SERIES : "") });
  return {
    series,
    range,
    add: (one) => {
      if (!series.some((each) => seriesKey(each) === seriesKey(one))) keep([...series, one]);
    },
    remove: (one) => keep(series.filter((each) => seriesKey(each) !== seriesKey(one))),
    setRange,
  };
}
