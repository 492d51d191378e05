import { LANGUAGE } from "@/words/language";

const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long", hourCycle: "h23" });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hourCycle: "h23" });
const DAY_CLOCK = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const RELATIVE = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto", style: "short" });

const SECOND = 1000;
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400 * SECOND],
  ["hour", 3600 * SECOND],
  ["minute", 60 * SECOND],
];

const UTC = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "medium",
  timeZone: "UTC",
  hourCycle: "h23",
});

/** In the user's zone, and in that of the logs. */
export function exactTime(iso: string): string {
  const at = new Date(iso);
  return `${EXACT.format(at)} (${UTC.format(at)} UTC)`;
}

/** Time of day when it was today, else the day with it: for "unknown since 14:02". */
export function sinceTime(iso: string, now: number): string {
  const then = new Date(iso);
  const sameDay = then.toDateString() === new Date(now).toDateString();
  return (sameDay ? CLOCK : DAY_CLOCK).format(then);
}

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
/** A point in time that may be far away: with its date. */
export const dateTime = (iso: string): string => FULL.format(new Date(iso));

export function relativeTime(iso: string, now: number): string {
  const difference = new Date(iso).getTime() - now;
  for (const [unit, size] of UNITS) {
    if (Math.abs(difference) >= size) return RELATIVE.format(Math.trunc(difference / size), unit);
  }
  return Math.abs(difference) < 10 * SECOND ? "just now" : RELATIVE.format(Math.trunc(difference / SECOND), "second");
}

/** "42 s", "3 min 05 s", "2 h 07 min". */
export function duration(fromIso: string, to: number): string {
  const seconds = Math.max(0, Math.round((to - new Date(fromIso).getTime()) / SECOND));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  const two = (n: number) => String(n).padStart(2, "0");
  if (minutes < 60) return `${minutes} min ${two(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
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
/** "4,000,000", "57.5". */
export const number = (value: number): string => NUMBER.format(value);

export const memory = (mib: number): string => (mib % 1024 === 0 ? `${mib / 1024} GiB` : `${mib} MiB`);

/** `hw:mem_page_size`: a size in KiB, or "large", "small", "any". */
function pages(size: string | null | undefined): string {
  if (!size || size === "any" || size === "small") return "";
  return /^\d+$/.test(size) ? `huge pages of ${memory(Number(size) / 1024)}` : "huge pages";
}

/** What a VDU asks of a flavor, in one line. */
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
    needs.vcpus ? `${needs.vcpus} vCPU` : "",
    needs.memoryMib ? memory(needs.memoryMib) : "",
    needs.diskGib ? `${needs.diskGib} GiB disk` : "",
    needs.cpuPolicy === "dedicated" ? "pinned CPUs" : "",
    pages(needs.memPageSize),
    needs.numaNodes ? plural(needs.numaNodes, "NUMA node") : "",
    needs.sriovPorts ? plural(needs.sriovPorts, "SR-IOV port") : "",
  ];
  return parts.filter(Boolean).join(", ");
}

export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "—";
  if (typeof value === "string") return value;
  return JSON.stringify(value);
}
