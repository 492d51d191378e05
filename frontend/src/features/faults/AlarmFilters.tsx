import { t } from "@lingui/core/macro";
import { ToggleGroup, ToggleGroupItem } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { q } from "@/api/queries";
import { SITES_OR_NONE } from "@/records/siteOptions";
import { SearchFilter } from "@/table/Filters";
import { ListBar, type FilterField } from "@/table/ListBar";
import type { ListView } from "@/ui/listView";
import { lookOf, SEVERITIES, SEVERITY } from "@/ui/states";
import { LISTS } from "./AlarmList";
import { OBJECT_TYPE } from "@/ui/names";
import { GROUPINGS, isRootsOnly, PERIODS } from "./alarmQuery";
import { ALARMED_OBJECTS } from "./alarmedObjectOptions";

const OPEN = SEVERITIES.filter((severity) => severity !== "CLEARED");

/** The server counts the open alarms of each severity. */
function Severities({ view }: { view: ListView }) {
  const { data: counts } = useQuery(q.alarmSummary());
  const asked = view.get("severity").split(",").filter(Boolean);
  return (
    <ToggleGroup aria-label={t`Severities`} isCompact className="vm-severities">
      {OPEN.map((severity) => {
        const { text, color, icon: Icon } = SEVERITY[severity];
        const on = asked.includes(severity);
        const next = on ? asked.filter((each) => each !== severity) : [...asked, severity];
        return (
          <ToggleGroupItem
            key={severity}
            buttonId={`severity-${severity}`}
            icon={
              <span className={`vm-state-icon vm-color-${color}`}>
                <Icon />
              </span>
            }
            text={counts ? counts[severity] : "?"}
            aria-label={`${text} ${counts ? counts[severity] : "?"}`}
            isSelected={on}
            onChange={() => view.set({ severity: next.join(",") })}
          />
        );
      })}
    </ToggleGroup>
  );
}

const severitiesText = (value: string): string =>
  value
    .split(",")
    .map((each) => lookOf(SEVERITY, each).text)
    .join(", ");

const FIELDS: readonly FilterField[] = [
  { name: "severity", label: t`Severity`, isChip: true, textOf: severitiesText },
  { name: "list", label: t`Alarm list`, every: t`Active`, options: LISTS },
  { name: "object", label: t`Object`, every: t`All objects`, source: ALARMED_OBJECTS, within: "within" },
  { name: "within", label: t`In`, isChip: true },
  { name: "site", label: t`Site`, every: t`All sites`, source: SITES_OR_NONE },
  { name: "type", label: t`Object type`, every: t`All object types`, options: Object.entries(OBJECT_TYPE) },
  {
    name: "ack",
    label: t`Acknowledgement`,
    every: t`Any acknowledgement`,
    options: [
      ["UNACKNOWLEDGED", t`Unacknowledged`],
      ["ACKNOWLEDGED", t`Acknowledged`],
    ],
  },
  {
    name: "since",
    label: t`Period`,
    every: t`Raised any time`,
    options: PERIODS.map(([key, text]) => [key, text] as const),
  },
  { name: "group", label: t`Grouping`, every: t`Not grouped`, options: GROUPINGS },
  { name: "top", label: t`Root causes only`, isFlag: true, isOnByDefault: isRootsOnly },
  { name: "suppressed", label: t`Include suppressed`, isFlag: true },
];

/** The server applies these filters. */
export function AlarmFilters({ view, end }: { view: ListView; end?: ReactNode }) {
  return (
    <ListBar
      label={t`Alarms`}
      view={view}
      fields={FIELDS}
      search={<SearchFilter view={view} name="text" label={t`Search alarms`} />}
      end={end}
    >
      <Severities view={view} />
    </ListBar>
  );
}
