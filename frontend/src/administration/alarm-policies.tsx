import { useQuery } from "@tanstack/react-query";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import { alarmPolicyCreate, alarmPolicyDelete, alarmPolicyUpdate } from "@/api/calls-faults";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { AlarmPolicy, AlarmPolicyInput } from "@/api/types";
import { Records, type RecordKind } from "@/records/Records";
import { lookOf, SEVERITIES, SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";

const nameOf = ({ faultType }: AlarmPolicy): string => faultType || "All others";
const some = (value: number | null, unit: string): string => (value === null ? "—" : `${value} ${unit}`);

/** What happens to alarms with time, for all and for single kinds. */
export function AlarmPolicies() {
  const { data: dictionary = [] } = useQuery(q.alarmDictionary());
  const kind: RecordKind<AlarmPolicy> = {
    toAdd: "Add an alarm policy",
    noneYet: "No alarm policy yet",
    isGone: "There is no such alarm policy any more",
    many: "Alarm policies",
    nameOf,
    needs: "admin",
    lead: "Severity, escalation and keeping of alarms: of all, and of single kinds, which go before.",
    icon: BellIcon,
    empty: "Without a policy every alarm keeps the severity that the dictionary gives it.",
    useList: () => useQuery(q.alarmPolicies()),
    queryKey: keys.alarmPolicies,
    columns: [
      { title: "Alarm", isName: true, sort: ({ faultType }) => faultType, cell: nameOf },
      {
        title: "Severity",
        cell: ({ initialSeverity }) =>
          initialSeverity ? <StateLabel look={lookOf(SEVERITY, initialSeverity)} /> : "as the dictionary says",
      },
      { title: "Up after", cell: (row) => some(row.escalateAfterMinutes, "min") },
      { title: "Up at", cell: (row) => some(row.escalateOccurrences, "a day") },
      { title: "Down after", cell: (row) => some(row.deescalateAfterMinutes, "min") },
      { title: "Told after", cell: (row) => some(row.debounceSeconds, "s") },
      { title: "Kept", cell: (row) => some(row.keepClearedDays, "days") },
    ],
    fields: () => [
      {
        ...{ kind: "select", name: "faultType", label: "Alarm", once: true },
        options: [
          ["", "All that have no policy of their own"],
          ...dictionary.map(({ faultType }) => [faultType, faultType] as const),
        ],
      },
      {
        ...{ kind: "select", name: "initialSeverity", label: "Severity" },
        options: [
          ["", "As the dictionary says"],
          ...SEVERITIES.filter((each) => each !== "CLEARED").map((each) => [each, SEVERITY[each].text] as const),
        ],
      },
      {
        ...{ kind: "number", name: "escalateAfterMinutes", label: "Escalate after (min)" },
        help: "One level up when nobody acknowledges it.",
      },
      {
        ...{ kind: "number", name: "escalateOccurrences", label: "Escalate at (times a day)" },
        help: "One level up when raised so often in 24 hours.",
      },
      {
        ...{ kind: "number", name: "deescalateAfterMinutes", label: "De-escalate after (min)" },
        help: "One level down after acknowledgement.",
      },
      { kind: "number", name: "debounceSeconds", label: "Tell after (s)", help: "Told only when it lasts so long." },
      { kind: "number", name: "keepClearedDays", label: "Keep cleared (days)", help: "Then it is history." },
      { kind: "truth", name: "autoAckOnClear", label: "Acknowledge when it clears", none: "As for all" },
    ],
    fresh: {},
    create: (input) => alarmPolicyCreate(input as unknown as AlarmPolicyInput),
    update: ({ id, version }, input) => alarmPolicyUpdate(id, input as unknown as AlarmPolicyInput, version),
    remove: ({ id, version }) => alarmPolicyDelete(id, version),
    removal: "The policy for all others applies instead; open alarms follow.",
  };
  return <Records kind={kind} />;
}
