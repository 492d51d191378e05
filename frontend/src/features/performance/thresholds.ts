/** What watches a counter, as the chart of the counter says it. */
import { t } from "@lingui/core/macro";
import type { CounterThreshold } from "@/api/types";
import type { Threshold } from "@/ui/chartDrawing";
import { counterText } from "./counters";

const TEXT: Record<CounterThreshold["origin"], (name: string) => string> = {
  PM_THRESHOLD: (name) => t`threshold of ${name}`,
  SCALE_OUT: (name) => t`scale out by ${name}`,
  SCALE_IN: (name) => t`scale in by ${name}`,
};

/** Those of the counters that a chart has, each with what it is of. */
export const thresholdsOf = (
  found: readonly CounterThreshold[],
  counters: readonly string[],
  nameOf: (counter: string) => string = counterText,
): Threshold[] =>
  found
    .filter(({ counter }) => counters.includes(counter))
    .map(({ counter, origin, name, value, hysteresis }) => ({
      name: `${nameOf(counter)}, ${TEXT[origin](name)}`,
      value,
      hysteresis,
    }));
