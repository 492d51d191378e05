import { t } from "@lingui/core/macro";
import { number } from "./format";

const DIGITS = 3;

/** Three digits, because the counters behind a rate are no more exact. */
export function speedText(exact: number): string {
  const bits = Number(exact.toPrecision(DIGITS));
  for (const [size, unit] of [
    [1e9, t`Gbit/s`],
    [1e6, t`Mbit/s`],
    [1e3, "kbit/s"],
  ] as const) {
    if (bits >= size) return `${number(bits / size)} ${unit}`;
  }
  return t`${number(bits)} bit/s`;
}
