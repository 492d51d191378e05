import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import {
  Button,
  Checkbox,
  Label,
  ToggleGroup,
  ToggleGroupItem,
  Toolbar,
  ToolbarContent,
  ToolbarItem,
} from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { q } from "@/api/queries";
import { SITES_OR_NONE } from "@/records/siteOptions";
import { ChoiceFilter, SelectFilter, SearchFilter } from "@/table/Filters";
import type { ListView } from "@/ui/listView";
import { SEVERITIES, SEVERITY } from "@/ui/states";
import { LISTS } from "./AlarmList";
import { OBJECT_TYPE } from "@/ui/names";
import { GROUPINGS, isNarrowed, PERIODS } from "./alarmQuery";
import { ALARMED_OBJECTS } from "./alarmedObjectOptions";

const OPEN = SEVERITIES.filter((severity) => severity !== "CLEARED");

/** The severities as switches, each with the number of open alarms that the server counts. */
function Severities({ view }: { view: ListView }) {
  const { data: counts } = useQuery(q.alarmSummary());
  const asked = view.get("severity").split(",").filter(Boolean);
  return (
    <ToggleGroup aria-label={t`Severities`} isCompact>
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
            text={`${text} ${counts ? counts[severity] : "?"}`}
            isSelected={on}
            onChange={() => view.set({ severity: next.join(",") })}
          />
        );
      })}
    </ToggleGroup>
  );
}

function Flag({ view, name, label }: { view: ListView; name: string; label: string }) {
  return (
    <ToolbarItem alignSelf="center">
      <Checkbox
        id={`alarms-${name}`}
        label={label}
        isChecked={view.get(name) !== ""}
        onChange={(_event, on) => view.set({ [name]: on ? "1" : "" })}
      />
    </ToolbarItem>
  );
}

/** The part of an element that the list is of, with all that is in it: chosen elsewhere, given up here. */
function Within({ view }: { view: ListView }) {
  const fdn = view.get("within");
  if (fdn === "") return null;
  return (
    <ToolbarItem alignSelf="center">
      <Label
        variant="outline"
        onClose={() => view.set({ within: "" })}
        closeBtnAriaLabel={t`Show alarms of all parts`}
        textMaxWidth="40ch"
      >
        <Trans>In {fdn}</Trans>
      </Label>
    </ToolbarItem>
  );
}

/** What may be asked of the alarm list; the server does the work. */
export function AlarmFilters({ view, children }: { view: ListView; children?: ReactNode }) {
  const group = view.get("group") === "cause" ? "" : view.get("group");
  const forget = {
    severity: "",
    type: "",
    object: "",
    ack: "",
    since: "",
    text: "",
    top: "",
    site: "",
    within: "",
    group,
  };
  return (
    <Toolbar className="vm-toolbar" aria-label={t`Alarms: filters`}>
      <ToolbarContent>
        <ToolbarItem alignSelf="center">
          <Severities view={view} />
        </ToolbarItem>
        <SearchFilter view={view} name="text" label={t`Search alarms`} />
        <ChoiceFilter
          view={view}
          name="object"
          label={t`Object`}
          every={t`All objects`}
          source={ALARMED_OBJECTS}
          within="within"
        />
        <ChoiceFilter view={view} name="site" label={t`Site`} every={t`All sites`} source={SITES_OR_NONE} />
        <Within view={view} />
        {children}
        <SelectFilter view={view} name="list" label={t`Alarm list`} every={t`Active`} options={LISTS} />
        <SelectFilter
          view={view}
          name="type"
          label={t`Object type`}
          every={t`All object types`}
          options={Object.entries(OBJECT_TYPE)}
        />
        <SelectFilter
          view={view}
          name="ack"
          label={t`Acknowledgement`}
          every={t`Any acknowledgement`}
          options={[
            ["UNACKNOWLEDGED", t`Unacknowledged`],
            ["ACKNOWLEDGED", t`Acknowledged`],
          ]}
        />
        <SelectFilter
          view={view}
          name="since"
          label={t`Period`}
          every={t`Raised any time`}
          options={PERIODS.map(([key, text]) => [key, text] as const)}
        />
        <SelectFilter view={view} name="group" label={t`Grouping`} every={t`Not grouped`} options={GROUPINGS} />
        <Flag view={view} name="top" label={t`Root causes only`} />
        <Flag view={view} name="suppressed" label={t`Include suppressed`} />
        {isNarrowed(view) && (
          <ToolbarItem alignSelf="center">
            <Button variant="link" isInline onClick={() => view.set(forget)}>
              <Trans>Clear all filters</Trans>
            </Button>
          </ToolbarItem>
        )}
      </ToolbarContent>
    </Toolbar>
  );
}
