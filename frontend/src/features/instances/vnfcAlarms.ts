import { plural } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { q } from "@/api/queries";
import type { Alarm, Severity } from "@/api/types";
import { filterText } from "@/api/filter";
import { worstText } from "@/features/faults/AlarmBadge";
import { SEVERITIES, SEVERITY } from "@/ui/states";

interface Found {
  count: number;
  /** Number of alarms with the worst severity. */
  ofWorst: number;
  worst: Severity | undefined;
  /** Not all alarms were read, so there may be more. */
  atLeast: boolean;
}
/** "UNKNOWN": the alarms cannot be read, or not all were read and none was found. */
export type VnfcAlarms = Found | "READING" | "UNKNOWN";

/** "1 · Major +2"; "3+ · Major" if not all alarms were read. */
export const alarmText = ({ count, ofWorst, atLeast }: Found, worst: Severity): string =>
  atLeast ? `${count}+ · ${SEVERITY[worst].text}` : worstText(ofWorst, count, worst);
export const alarmWords = ({ count, atLeast }: Found): string =>
  atLeast
    ? plural(count, { one: "at least # alarm", other: "at least # alarms" })
    : plural(count, { one: "# alarm", other: "# alarms" });

const worstOf = (alarms: readonly Pick<Alarm, "perceivedSeverity">[]): Severity | undefined =>
  SEVERITIES.find((severity) => alarms.some((alarm) => alarm.perceivedSeverity === severity));

/** Only the first page is read, which contains the worst alarms. */
export function useVnfcAlarms(instanceId: string): (vnfcId: string) => VnfcAlarms {
  const filter = filterText([["eq", "managedObjectId", instanceId]]) ?? "";
  const { data, isError, isPlaceholderData } = useQuery(q.alarms({ filter, sort: "-perceivedSeverity" }));
  const page = isPlaceholderData ? undefined : data;
  return useCallback(
    (vnfcId) => {
      if (!page) return isError ? "UNKNOWN" : "READING";
      const mine = page.rows.filter(({ vnfcIds }) => vnfcIds.includes(vnfcId));
      const atLeast = page.next !== undefined;
      if (atLeast && mine.length === 0) return "UNKNOWN";
      const worst = worstOf(mine);
      const ofWorst = mine.filter(({ perceivedSeverity }) => perceivedSeverity === worst).length;
      return { count: mine.length, ofWorst, worst, atLeast };
    },
    [page, isError],
  );
}
