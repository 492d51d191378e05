import { plural, t } from "@lingui/core/macro";
import { LANGUAGE } from "@/words/language";
import { isUtc } from "./zone";

/**
 * Dates look the same in text and charts (`chartDrawing.ts`), in any language of the browser: "28 Nov 2026, 14:02".
 */
const DATES = "en-GB";

/** Times are in the zone of this computer, or in UTC with "UTC" added. */
function writer(options: Intl.DateTimeFormatOptions): (at: Date) => string {
  const [own, utc] = [{}, { timeZone: "UTC" }].map(
    (zone) => new Intl.DateTimeFormat(DATES, { ...options, ...zone, hourCycle: "h23" }),
  );
  return (at) => (isUtc() ? t`${utc?.format(at) ?? ""} UTC` : (own?.format(at) ?? ""));
}

const EXACT = new Intl.DateTimeFormat(DATES, { dateStyle: "medium", timeStyle: "long", hourCycle: "h23" });
const IS_OWN_UTC = EXACT.resolvedOptions().timeZone === "UTC";
const CLOCK = writer({ timeStyle: "medium" });
/** "14:02" */
export const minuteTime = writer({ hour: "2-digit", minute: "2-digit" });
/** "22 Nov, 14:02" */
const dayTime = writer({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const RELATIVE = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto", style: "short" });

const SECOND = 1000;
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400 * SECOND],
  ["hour", 3600 * SECOND],
  ["minute", 60 * SECOND],
];

const UTC = new Intl.DateTimeFormat(DATES, {
  dateStyle: "medium",
  timeStyle: "medium",
  timeZone: "UTC",
  hourCycle: "h23",
});

/** Both the user's zone and UTC, which logs use. */
export function exactTime(iso: string): string {
  const at = new Date(iso);
  const utc = t`${UTC.format(at)} UTC`;
  // A computer whose own zone is UTC would show the same time twice.
  return isUtc() || IS_OWN_UTC ? utc : `${EXACT.format(at)} (${utc})`;
}

const two = (n: number) => String(n).padStart(2, "0");
/** 2026-11-22 */
const dayOf = (at: Date, utc: boolean): string =>
  utc ? at.toISOString().slice(0, 10) : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

/** The format of `<input type="datetime-local">`, to the minute. */
export function typedTime(iso: string, utc = isUtc()): string {
  const at = new Date(iso);
  const [hours, minutes] = utc ? [at.getUTCHours(), at.getUTCMinutes()] : [at.getHours(), at.getMinutes()];
  return `${dayOf(at, utc)}T${two(hours)}:${two(minutes)}`;
}
/** Returns "" for an invalid time. */
export function isoOfTyped(text: string, utc = isUtc()): string {
  const at = new Date(utc ? `${text}Z` : text);
  return text === "" || Number.isNaN(at.getTime()) ? "" : at.toISOString();
}

/** Only the time of day if it was today: for "unknown since 14:02". */
export function sinceTime(iso: string, now: number): string {
  const then = new Date(iso);
  return dayOf(then, isUtc()) === dayOf(new Date(now), isUtc()) ? CLOCK(then) : dayTime(then);
}

const MOMENT = { day: "2-digit", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
const MOMENT_UTC = writer(MOMENT);
const MOMENT_OWN = new Intl.DateTimeFormat(DATES, { ...MOMENT, timeZoneName: "short", hourCycle: "h23" });
/** Includes seconds and the zone. */
export const momentTime = (iso: string): string => {
  const at = new Date(iso);
  return isUtc() ? MOMENT_UTC(at) : MOMENT_OWN.format(at);
};

const FULL = writer({ dateStyle: "medium", timeStyle: "short" });
export const dateTime = (iso: string): string => FULL(new Date(iso));

export function relativeTime(iso: string, now: number): string {
  const difference = new Date(iso).getTime() - now;
  for (const [unit, size] of UNITS) {
    if (Math.abs(difference) >= size) return RELATIVE.format(Math.trunc(difference / size), unit);
  }
  return Math.abs(difference) < 10 * SECOND ? t`just now` : RELATIVE.format(Math.trunc(difference / SECOND), "second");
}

/** "42 s", "3 min 05 s", "2 h 07 min" */
export function duration(fromIso: string, to: number): string {
  const seconds = Math.max(0, Math.round((to - new Date(fromIso).getTime()) / SECOND));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t`${minutes} min ${two(seconds % 60)} s`;
  return t`${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

const PERIODS: [string, number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
/** Uses the largest unit that divides the seconds: "24 hours", "90 minutes". */
export function period(seconds: number): string {
  const [unit, size] = PERIODS.find(([, of]) => seconds > of && seconds % of === 0) ?? ["second", 1];
  return new Intl.NumberFormat(LANGUAGE, { style: "unit", unit, unitDisplay: "long" }).format(seconds / size);
}

export function bytes(size: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let value = size;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? ""}`;
}

const NUMBER = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 3 });
/** "4,000,000", "57.5" */
export const number = (value: number): string => NUMBER.format(value);

const SHORT = new Intl.NumberFormat(LANGUAGE, { notation: "compact", maximumFractionDigits: 1 });
/** "779K", "57.5" */
export const shortNumber = (value: number): string => SHORT.format(value);

const MIB_OF_GIB = 1024;
/** From 1 GiB on, "1.5 GiB" with at most two decimals. */
export const memory = (mib: number): string =>
  Math.abs(mib) < MIB_OF_GIB ? t`${mib} MiB` : t`${number(Math.round((mib / MIB_OF_GIB) * 100) / 100)} GiB`;

/** `hw:mem_page_size` is a size in KiB, or "large", "small", "any". */
function pages(size: string | null | undefined): string {
  if (!size || size === "any" || size === "small") return "";
  return /^\d+$/.test(size) ? t`huge pages of ${memory(Number(size) / 1024)}` : t`huge pages`;
}

export function needsText(needs: {
  vcpus?: number | null;
  memoryMib?: number | null;
  diskGib?: number | null;
  cpuPolicy?: string | null;
  memPageSize?: string | null;
  numaNodes?: number | null;
  sriovPorts?: number | null;
}): string {
  const parts = [
    needs.vcpus ? t`${needs.vcpus} vCPU` : "",
    needs.memoryMib ? memory(needs.memoryMib) : "",
    needs.diskGib ? t`${needs.diskGib} GiB disk` : "",
    needs.cpuPolicy === "dedicated" ? t`pinned CPUs` : "",
    pages(needs.memPageSize),
    needs.numaNodes ? plural(needs.numaNodes, { one: "# NUMA node", other: "# NUMA nodes" }) : "",
    needs.sriovPorts ? plural(needs.sriovPorts, { one: "# SR-IOV port", other: "# SR-IOV ports" }) : "",
  ];
  return parts.filter(Boolean).join(", ");
}

export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "—";
  if (typeof value === "string") return value;
  return JSON.stringify(value);
}
