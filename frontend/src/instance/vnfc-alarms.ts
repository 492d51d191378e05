/** Open alarms of an instance, by the VNFC that they speak of. */
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { q } from "@/api/queries";
import type { Alarm, Severity } from "@/api/types";
import { filterText } from "@/table/filter";
import { SEVERITIES } from "@/ui/states";

/** How many, and the worst; "UNKNOWN" when they cannot be read, "READING" until they are. */
export type VnfcAlarms = { count: number; worst: Severity | undefined } | "READING" | "UNKNOWN";

export const worstOf = (alarms: readonly Pick<Alarm, "perceivedSeverity">[]): Severity | undefined =>
  SEVERITIES.find((severity) => alarms.some((alarm) => alarm.perceivedSeverity === severity));

export function useVnfcAlarms(instanceId: string): (vnfcId: string) => VnfcAlarms {
  const filter = filterText([["eq", "managedObjectId", instanceId]]) ?? "";
  const { data, isError, isPlaceholderData } = useQuery(q.alarms({ filter, sort: "-perceivedSeverity" }));
  const rows = isPlaceholderData ? undefined : data?.rows;
  return useCallback(
    (vnfcId) => {
      if (!rows) return isError ? "UNKNOWN" : "READING";
      const mine = rows.filter(({ vnfcIds }) => vnfcIds.includes(vnfcId));
      return { count: mine.length, worst: worstOf(mine) };
    },
    [rows, isError],
  );
}
