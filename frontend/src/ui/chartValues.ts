/** What a chart says of values: their unit as carriers write it, and the 95th percentile. */
import { t } from "@lingui/core/macro";
import { number, shortNumber } from "./format";
import { speedText } from "./speed";

const BITS_OF_OCTET = 8;

/** A value with its unit; traffic in bit/s, decimal, whatever it was counted in. */
export function valueWithUnit(value: number, unit: string): string {
  if (unit === "octet/s") return speedText(Math.round(value * BITS_OF_OCTET));
  const rounded = number(Math.abs(value) < 100 ? Math.round(value * 100) / 100 : Math.round(value));
  return unit === "" ? rounded : `${rounded} ${unit}`;
}

/** A value of the axis; its unit stands over the chart, but for bit/s, which has prefixes. */
export const tickText = (value: number, unit: string): string =>
  unit === "octet/s" ? valueWithUnit(value, unit) : shortNumber(value);

/** The unit as it is written over a chart. */
export const unitText = (unit: string): string => (unit === "octet/s" ? t`bit/s` : unit);

/** The value that 95 % of the known ones do not exceed (nearest rank); undefined where none is known. */
export function percentile95(values: readonly (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  return known[Math.ceil(known.length * 0.95) - 1];
}
