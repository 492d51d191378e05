import { t } from "@lingui/core/macro";
import { number, shortNumber } from "./format";
import { speedText } from "./speed";

const BITS_OF_OCTET = 8;

/** Traffic is always in bit/s with decimal prefixes. */
export function valueWithUnit(value: number, unit: string): string {
  if (unit === "octet/s") return speedText(Math.round(value * BITS_OF_OCTET));
  const rounded = number(Math.abs(value) < 100 ? Math.round(value * 100) / 100 : Math.round(value));
  return unit === "" ? rounded : `${rounded} ${unit}`;
}

/** The unit stands above the chart; only bit/s has prefixes at the ticks. */
export const tickText = (value: number, unit: string): string =>
  unit === "octet/s" ? valueWithUnit(value, unit) : shortNumber(value);

export const unitText = (unit: string): string => (unit === "octet/s" ? t`bit/s` : unit);

/** Nearest rank of the known values; undefined if all are unknown. */
export function percentile95(values: readonly (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  return known[Math.ceil(known.length * 0.95) - 1];
}
