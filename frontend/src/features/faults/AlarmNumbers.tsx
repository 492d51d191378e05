import { t } from "@lingui/core/macro";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "react-router";
import type { AlarmPartSummary, AlarmSummary } from "@/api/types";
import type { Reach } from "@/ui/RowTree";
import { SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { COUNTED, WORDS, worstOf } from "./AlarmBadge";

/** A word says why there are no numbers. */
export type Numbers = AlarmSummary | keyof typeof WORDS;

const added = (sum: AlarmSummary | undefined, more: AlarmSummary): AlarmSummary =>
  Object.fromEntries(COUNTED.map((each) => [each, (sum?.[each] ?? 0) + more[each]])) as unknown as AlarmSummary;

/**
 * The FDN of a part begins with that of the part around it, so a part counts its own alarms and those inside it; ""
 * counts all.
 */
export function countedUp(rows: readonly AlarmPartSummary[]): ReadonlyMap<string, AlarmSummary> {
  const sums = new Map<string, AlarmSummary>();
  for (const row of rows) {
    let fdn = row.faultyResource;
    for (;;) {
      sums.set(fdn, added(sums.get(fdn), row));
      if (fdn === "") break;
      fdn = fdn.slice(0, Math.max(0, fdn.lastIndexOf(":")));
    }
  }
  return sums;
}

/** "" gives the numbers of all alarms of the element. */
export function numbersOf({
  data,
  isError,
}: Pick<UseQueryResult<AlarmPartSummary[]>, "data" | "isError">): (fdn: string) => Numbers {
  if (isError) return () => "UNKNOWN";
  if (!data) return () => "READING";
  const sums = countedUp(data);
  return (fdn) => sums.get(fdn) ?? "NONE";
}

interface Props {
  of: string;
  numbers: Numbers;
  to: string;
  reach: Reach;
}

/** Links to the open alarms. */
export function AlarmNumbers({ of, numbers, to, reach }: Props) {
  if (numbers === "NONE") return null;
  if (typeof numbers === "string") {
    return <span className="vm-quiet">{numbers === "READING" ? WORDS.READING : t`alarms unknown`}</span>;
  }
  const severity = worstOf(numbers);
  if (!severity) return null;
  const text = COUNTED.filter((each) => numbers[each] > 0)
    .map((each) => `${numbers[each]} ${SEVERITY[each].text.toLowerCase()}`)
    .join(", ");
  return (
    // The accessible name begins with the visible text, so that speech input finds it.
    <Link to={to} tabIndex={reach} aria-label={t`${text}: active alarms of ${of}`}>
      <StateLabel look={{ ...SEVERITY[severity], text }} />
    </Link>
  );
}
