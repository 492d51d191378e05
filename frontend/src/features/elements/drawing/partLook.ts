import { t } from "@lingui/core/macro";
import type { Equipment, Severity } from "@/api/types";
import { worstOf } from "@/features/faults/AlarmBadge";
import type { Numbers } from "@/features/faults/AlarmNumbers";
import { EQUIPMENT_STATE, SEVERITIES, SEVERITY } from "@/ui/states";

/** Each state has a colour and a symbol, because not everyone distinguishes colours. */
export const FILLS = {
  up: { text: t`In service`, sign: "" },
  down: { text: t`Out of service`, sign: "×" },
  shut: { text: t`Shut down`, sign: "–" },
  changing: { text: t`Booting or diagnosing`, sign: "…" },
  missing: { text: t`Provisioned, missing`, sign: "!" },
  empty: { text: t`Empty`, sign: "" },
  unknown: { text: t`Unknown`, sign: "?" },
} as const;
export type Fill = keyof typeof FILLS;

const OF_STATE: Record<Equipment["operState"], Fill> = {
  IN_SERVICE: "up",
  OUT_OF_SERVICE: "down",
  FAILED: "down",
  BOOTING: "changing",
  DIAGNOSING: "changing",
  PROVISIONED: "missing",
  MISSING: "missing",
  EMPTY: "empty",
  UNKNOWN: "unknown",
};

/** The state of a part that is no longer reported is unknown, whatever it was last. */
export const fillOf = ({ adminState, operState, unknownSince }: Equipment): Fill => {
  if (unknownSince !== null || operState === "UNKNOWN") return "unknown";
  return adminState === "DOWN" && operState === "OUT_OF_SERVICE" ? "shut" : OF_STATE[operState];
};

/** Alarm lists of network managers use one letter. */
export const SEVERITY_LETTER: Record<Severity, string> = {
  CRITICAL: "C",
  MAJOR: "M",
  MINOR: "m",
  WARNING: "w",
  INDETERMINATE: "i",
  CLEARED: "",
};

const worseOf = (a: Severity | undefined, b: Severity | undefined): Severity | undefined =>
  SEVERITIES.find((each) => each === a || each === b);
const severityOf = (numbers: Numbers): Severity | undefined =>
  typeof numbers === "string" ? undefined : worstOf(numbers);
const countOf = (numbers: Numbers): number =>
  typeof numbers === "string" ? 0 : SEVERITIES.reduce((sum, each) => sum + (each === "CLEARED" ? 0 : numbers[each]), 0);

export interface PartAlarm {
  severity: Severity | undefined;
  count: number;
  unknown: boolean;
}

/** Includes alarms of everything inside the part, under each of the names that alarms use for it. */
export function alarmOf(numbers: (fdn: string) => Numbers, names: readonly string[]): PartAlarm {
  const all = names.map(numbers);
  return {
    severity: all.map(severityOf).reduce(worseOf, undefined),
    count: all.map(countOf).reduce((sum, each) => sum + each, 0),
    unknown: all.includes("UNKNOWN"),
  };
}

/** Screen readers read this text. */
export function partText(title: string, part: Equipment, { severity, count, unknown }: PartAlarm): string {
  const fill = fillOf(part);
  const state =
    fill === "unknown" && part.lastOperState !== "UNKNOWN"
      ? t`unknown, last ${EQUIPMENT_STATE[part.lastOperState].text.toLowerCase()}`
      : FILLS[fill].text.toLowerCase();
  const alarms = severity
    ? t`alarms: ${count}, worst ${SEVERITY[severity].text.toLowerCase()}`
    : unknown
      ? t`alarms unknown`
      : "";
  return [title, part.type, state, alarms].filter(Boolean).join(", ");
}
