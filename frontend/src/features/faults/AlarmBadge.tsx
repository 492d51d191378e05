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
/** "UNKNOWN" is an answer that is missing or out of date. */
export type AlarmCounts = AlarmObjectSummary | keyof typeof WORDS;

/** The server lists only objects that have alarms. An answer about other objects, kept from before, says nothing. */
export function alarmCountsOf({
  data,
  error,
  isPlaceholderData,
}: Pick<UseQueryResult<AlarmObjectSummary[]>, "data" | "error" | "isPlaceholderData">): (
  objectId: string,
) => AlarmCounts {
  // While the server is offline the last answer stays visible; the banner says that it is old.
  if (error && (!data || !isNoAnswer(error))) return () => "UNKNOWN";
  if (!data || isPlaceholderData) return () => "READING";
  const counts = new Map(data.map((each) => [each.managedObjectId, each]));
  return (objectId) => counts.get(objectId) ?? "NONE";
}

/** The function stays the same until the counts change. */
export function useAlarmCounts(ids: readonly string[]): (objectId: string) => AlarmCounts {
  const { data, error, isPlaceholderData } = useQuery({
    ...q.alarmCounts({ managedObjectId: ids.join(",") }),
    enabled: ids.length > 0,
  });
  return useMemo(() => alarmCountsOf({ data, error, isPlaceholderData }), [data, error, isPlaceholderData]);
}

export const worstOf = (counts: AlarmSummary | keyof typeof WORDS): Counted | undefined =>
  typeof counts === "string" ? undefined : COUNTED.find((severity) => counts[severity] > 0);

/** "1 · Critical +2": `ofWorst` alarms have the worst severity; the rest of `total` follows. */
export const worstText = (ofWorst: number, total: number, severity: Severity): string =>
  `${ofWorst} · ${SEVERITY[severity].text}${total > ofWorst ? ` +${total - ofWorst}` : ""}`;

/** Links to the open alarms of the object. */
export function AlarmBadge({ objectId, counts }: { objectId: string; counts: AlarmCounts }) {
  if (typeof counts === "string") return <span className="vm-quiet">{WORDS[counts]}</span>;
  const severity = worstOf(counts);
  if (!severity) return <span className="vm-quiet">{WORDS.NONE}</span>;
  const look = SEVERITY[severity];
  const total = COUNTED.reduce((sum, each) => sum + counts[each], 0);
  const text = worstText(counts[severity], total, severity);
  return (
    // The accessible name begins with the visible text, so that speech input finds it.
    <RowLink
      to={pb.alarmsFor(objectId)}
      aria-label={t`${text}: ${plural(total, { one: "# alarm", other: "# alarms" })}, worst ${look.text.toLowerCase()}`}
    >
      <StateLabel look={{ ...look, text }} />
    </RowLink>
  );
}
