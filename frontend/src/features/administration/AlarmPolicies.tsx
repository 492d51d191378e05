import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import { alarmPolicyCreate, alarmPolicyDelete, alarmPolicyUpdate } from "@/api/callsFaults";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { AlarmPolicy, AlarmPolicyInput } from "@/api/types";
import { Records, type RecordKind } from "@/records/Records";
import { faultText } from "@/ui/names";
import { lookOf, SEVERITIES, SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";

const nameOf = ({ faultType }: AlarmPolicy): string => (faultType ? faultText(faultType) : t`All other alarms`);
const some = (value: number | null, words: (value: number) => string): string => (value === null ? "—" : words(value));
const minutes = (value: number): string => t`${value} min`;

/** A policy applies to all alarms or to those of one fault type. */
export function AlarmPolicies() {
  const { data: dictionary = [] } = useQuery(q.alarmDictionary());
  const kind: RecordKind<AlarmPolicy> = {
    toAdd: t`Add an alarm policy`,
    noneYet: t`No alarm policies yet`,
    isGone: t`This alarm policy no longer exists`,
    many: t`Alarm policies`,
    name: "alarm-policies",
    nameOf,
    needs: "admin",
    lead: t`Severity, escalation and retention of alarms. A policy for one alarm type overrides the default policy.`,
    icon: BellIcon,
    empty: t`Without a policy each alarm has the severity of the alarm dictionary.`,
    useList: () => useQuery(q.alarmPolicies()),
    queryKey: keys.alarmPolicies,
    columns: [
      { title: t`Alarm`, isName: true, sort: ({ faultType }) => faultType, cell: nameOf },
      {
        title: t`Severity`,
        cell: ({ initialSeverity }) =>
          initialSeverity ? <StateLabel look={lookOf(SEVERITY, initialSeverity)} /> : t`from the alarm dictionary`,
      },
      { title: t`Up after`, cell: (row) => some(row.escalateAfterMinutes, minutes) },
      { title: t`Up at`, cell: (row) => some(row.escalateOccurrences, (value) => t`${value} per day`) },
      { title: t`Down after`, cell: (row) => some(row.deescalateAfterMinutes, minutes) },
      { title: t`Debounce`, cell: (row) => some(row.debounceSeconds, (value) => t`${value} s`) },
      {
        title: t`Retention`,
        cell: (row) => some(row.keepClearedDays, (value) => plural(value, { one: "# day", other: "# days" })),
      },
    ],
    fields: () => [
      {
        ...{ kind: "select", name: "faultType", label: t`Alarm`, once: true },
        options: [
          ["", t`All alarms without a policy of their own`],
          ...dictionary.map(({ faultType }) => [faultType, faultText(faultType)] as const),
        ],
      },
      {
        ...{ kind: "select", name: "initialSeverity", label: t`Severity` },
        options: [
          ["", t`From the alarm dictionary`],
          ...SEVERITIES.filter((each) => each !== "CLEARED").map((each) => [each, SEVERITY[each].text] as const),
        ],
      },
      {
        ...{ kind: "number", name: "escalateAfterMinutes", label: t`Escalate after (min)` },
        help: t`One level up if not acknowledged.`,
      },
      {
        ...{ kind: "number", name: "escalateOccurrences", label: t`Escalate at (times per day)` },
        help: t`One level up if raised this often within 24 hours.`,
      },
      {
        ...{ kind: "number", name: "deescalateAfterMinutes", label: t`De-escalate after (min)` },
        help: t`One level down after acknowledgement.`,
      },
      {
        kind: "number",
        name: "debounceSeconds",
        label: t`Debounce (s)`,
        help: t`Raised only if the condition lasts this long.`,
      },
      {
        kind: "number",
        name: "keepClearedDays",
        label: t`Keep cleared alarms (days)`,
        help: t`Then they are deleted.`,
      },
      { kind: "truth", name: "autoAckOnClear", label: t`Acknowledge when it clears`, none: t`Same as default` },
    ],
    fresh: {},
    create: (input) => alarmPolicyCreate(input as unknown as AlarmPolicyInput),
    update: ({ id, version }, input) => alarmPolicyUpdate(id, input as unknown as AlarmPolicyInput, version),
    remove: ({ id, version }) => alarmPolicyDelete(id, version),
    removal: t`The default policy applies instead, also to active alarms.`,
  };
  return <Records kind={kind} />;
}
