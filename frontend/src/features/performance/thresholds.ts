import { t } from "@lingui/core/macro";
import { useQueries } from "@tanstack/react-query";
import { q } from "@/api/queries";
import type { CounterThreshold } from "@/api/types";
import type { Threshold } from "@/ui/chartDrawing";
import type { Series } from "./series";

const TEXT: Record<CounterThreshold["origin"], (name: string) => string> = {
  PM_THRESHOLD: (name) => t`threshold of ${name}`,
  THRESHOLD_RULE: (name) => t`alarm by ${name}`,
  SCALE_OUT: (name) => t`scale out by ${name}`,
  SCALE_IN: (name) => t`scale in by ${name}`,
};

/** A series with the name of its line. */
interface NamedSeries extends Series {
  name: string;
}
const objectKey = ({ elementId, object }: Series): string => `${elementId} ${object}`;

/** The result has one list per series, empty for one that is not of an element, or until it is read. */
export function useThresholds(series: readonly (NamedSeries | undefined)[]): Threshold[][] {
  const objects = [...new Map(series.flatMap((each) => (each ? [[objectKey(each), each]] : []))).entries()];
  return useQueries({
    queries: objects.map(([, { elementId, object }]) => q.thresholds(elementId, object)),
    combine: (read) => {
      const found = new Map(objects.map(([key], index) => [key, read[index]?.data ?? []]));
      return series.map((each) => (each ? thresholdsOf(found.get(objectKey(each)) ?? [], each) : []));
    },
  });
}

const thresholdsOf = (found: readonly CounterThreshold[], { counter, name: line }: NamedSeries): Threshold[] =>
  found
    .filter((each) => each.counter === counter)
    .map(({ origin, name, value, hysteresis, clearValue }) => ({
      name: `${line}, ${TEXT[origin](name)}`,
      ...{ value, hysteresis, clearValue },
    }));
