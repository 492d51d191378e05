import { plural, t } from "@lingui/core/macro";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { isNoAnswer } from "@/api/problem";
import { q } from "@/api/queries";
import type { AlarmObjectSummary, AlarmSummary, Severity } from "@/api/types";
import { pb } from "@/paths";
import { RowLink } from "@/ui/RowLink";
import { SEVERITIES, SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";

type Counted = Exclude<Severity, "CLEARED">;
/** Severities of open alarms, worst first. */
export const COUNTED = SEVERITIES.filter((severity): severity is Counted => severity !== "CLEARED");

export const WORDS = { NONE: t`None`, READING: "…", UNKNOWN: t`unknown` } as const;
/** What is known of an object's open alarms: how many, that there are none, or nothing yet or any more. */
export type AlarmCounts = AlarmObjectSummary | keyof typeof WORDS;

/** From the answer about many objects, which names those alone that have any. One kept from other objects tells nothing. */
export function alarmCountsOf({
  data,
  error,
  isPlaceholderData,
}: Pick<UseQueryResult<AlarmObjectSummary[]>, "data" | "error" | "isPlaceholderData">): (
  objectId: string,
) => AlarmCounts {
  // Of a server that is away the last answer stays, as all else that is shown; the banner says that it is old.
  if (error && (!data || !isNoAnswer(error))) return () => "UNKNOWN";
  if (!data || isPlaceholderData) return () => "READING";
  const counts = new Map(data.map((each) => [each.managedObjectId, each]));
  return (objectId) => counts.get(objectId) ?? "NONE";
}

/** How many open alarms each of these objects has; the same function until that changes. */
export function useAlarmCounts(ids: readonly string[]): (objectId: string) => AlarmCounts {
  const { data, error, isPlaceholderData } = useQuery({
    ...q.alarmCounts({ managedObjectId: ids.join(",") }),
    enabled: ids.length > 0,
  });
  return useMemo(() => alarmCountsOf({ data, error, isPlaceholderData }), [data, error, isPlaceholderData]);
}

export const worstOf = (counts: AlarmSummary | keyof typeof WORDS): Counted | undefined =>
  typeof counts === "string" ? undefined : COUNTED.find((severity) => counts[severity] > 0);

/** "1 · Critical +2": how many are of the worst severity, and how many others there are. */
export const worstText = (ofWorst: number, total: number, severity: Severity): string =>
  `${ofWorst} · ${SEVERITY[severity].text}${total > ofWorst ? ` +${total - ofWorst}` : ""}`;

/** The most severe open alarms of an object and how many others there are; the way to them. */
export function AlarmBadge({ objectId, counts }: { objectId: string; counts: AlarmCounts }) {
  if (typeof counts === "string") return <span className="vm-quiet">{WORDS[counts]}</span>;
  const severity = worstOf(counts);
  if (!severity) return <span className="vm-quiet">{WORDS.NONE}</span>;
  const look = SEVERITY[severity];
  const total = COUNTED.reduce((sum, each) => sum + counts[each], 0);
  const text = worstText(counts[severity], total, severity);
  return (
    // What is read aloud begins with what is seen, for those who say it to click it.
    <RowLink
      to={pb.alarmsFor(objectId)}
      aria-label={t`${text}: ${plural(total, { one: "# alarm", other: "# alarms" })}, worst ${look.text.toLowerCase()}`}
    >
      <StateLabel look={{ ...look, text }} />
    </RowLink>
  );
}
