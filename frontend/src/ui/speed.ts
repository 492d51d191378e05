import { t } from "@lingui/core/macro";
import { number } from "./format";

/** bit/s as people say it. */
export function speedText(bits: number): string {
  for (const [size, unit] of [
    [1e9, t`Gbit/s`],
    [1e6, t`Mbit/s`],
    [1e3, "kbit/s"],
  ] as const) {
    if (bits >= size) return `${number(bits / size)} ${unit}`;
  }
  return t`${number(bits)} bit/s`;
}
