import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import { alarmPolicyCreate, alarmPolicyDelete, alarmPolicyUpdate } from "@/api/callsFaults";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { AlarmPolicy, AlarmPolicyInput } from "@/api/types";
import { Records, type RecordKind } from "@/records/Records";
import { lookOf, SEVERITIES, SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";

const nameOf = ({ faultType }: AlarmPolicy): string => faultType || t`All others`;
const some = (value: number | null, words: (value: number) => string): string => (value === null ? "—" : words(value));
const minutes = (value: number): string => t`${value} min`;

/** What happens to alarms with time, for all and for single kinds. */
export function AlarmPolicies() {
  const { data: dictionary = [] } = useQuery(q.alarmDictionary());
  const kind: RecordKind<AlarmPolicy> = {
    toAdd: t`Add an alarm policy`,
    noneYet: t`No alarm policy yet`,
    isGone: t`There is no such alarm policy any more`,
    many: t`Alarm policies`,
    name: "alarm-policies",
    nameOf,
    needs: "admin",
    lead: t`Severity, escalation and keeping of alarms: of all, and of single kinds, which go before.`,
    icon: BellIcon,
    empty: t`Without a policy every alarm keeps the severity that the dictionary gives it.`,
    useList: () => useQuery(q.alarmPolicies()),
    queryKey: keys.alarmPolicies,
    columns: [
      { title: t`Alarm`, isName: true, sort: ({ faultType }) => faultType, cell: nameOf },
      {
        title: t`Severity`,
        cell: ({ initialSeverity }) =>
          initialSeverity ? <StateLabel look={lookOf(SEVERITY, initialSeverity)} /> : t`as the dictionary says`,
      },
      { title: t`Up after`, cell: (row) => some(row.escalateAfterMinutes, minutes) },
      { title: t`Up at`, cell: (row) => some(row.escalateOccurrences, (value) => t`${value} a day`) },
      { title: t`Down after`, cell: (row) => some(row.deescalateAfterMinutes, minutes) },
      { title: t`Told after`, cell: (row) => some(row.debounceSeconds, (value) => t`${value} s`) },
      {
        title: t`Kept`,
        cell: (row) => some(row.keepClearedDays, (value) => plural(value, { one: "# day", other: "# days" })),
      },
    ],
    fields: () => [
      {
        ...{ kind: "select", name: "faultType", label: t`Alarm`, once: true },
        options: [
          ["", t`All that have no policy of their own`],
          ...dictionary.map(({ faultType }) => [faultType, faultType] as const),
        ],
      },
      {
        ...{ kind: "select", name: "initialSeverity", label: t`Severity` },
        options: [
          ["", t`As the dictionary says`],
          ...SEVERITIES.filter((each) => each !== "CLEARED").map((each) => [each, SEVERITY[each].text] as const),
        ],
      },
      {
        ...{ kind: "number", name: "escalateAfterMinutes", label: t`Escalate after (min)` },
        help: t`One level up when nobody acknowledges it.`,
      },
      {
        ...{ kind: "number", name: "escalateOccurrences", label: t`Escalate at (times a day)` },
        help: t`One level up when raised so often in 24 hours.`,
      },
      {
        ...{ kind: "number", name: "deescalateAfterMinutes", label: t`De-escalate after (min)` },
        help: t`One level down after acknowledgement.`,
      },
      { kind: "number", name: "debounceSeconds", label: t`Tell after (s)`, help: t`Told only when it lasts so long.` },
      { kind: "number", name: "keepClearedDays", label: t`Keep cleared (days)`, help: t`Then it is history.` },
      { kind: "truth", name: "autoAckOnClear", label: t`Acknowledge when it clears`, none: t`As for all` },
    ],
    fresh: {},
    create: (input) => alarmPolicyCreate(input as unknown as AlarmPolicyInput),
    update: ({ id, version }, input) => alarmPolicyUpdate(id, input as unknown as AlarmPolicyInput, version),
    remove: ({ id, version }) => alarmPolicyDelete(id, version),
    removal: t`The policy for all others applies instead; open alarms follow.`,
  };
  return <Records kind={kind} />;
}
