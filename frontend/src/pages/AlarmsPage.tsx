import { Label, LabelGroup } from "@patternfly/react-core";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { q } from "@/api/queries";
import { AlarmTable } from "@/table/AlarmTable";
import { Empty } from "@/ui/Empty";
import { Screen } from "@/ui/Screen";
import { lookOf, SEVERITY } from "@/ui/states";

/** Filters that came with the address: a severity from the header's counters, an object from a list. */
function useFilters() {
  const [params, setParams] = useSearchParams();
  const { data: instances } = useQuery(q.vnfInstances());
  const severity = params.get("severity");
  const object = params.get("object");
  const drop = (key: string) =>
    setParams((before) => {
      before.delete(key);
      return before;
    });
  const objectName = instances?.find((each) => each.id === object)?.name ?? object;
  const chips = [
    ...(severity ? [{ key: "severity", text: `Severity: ${lookOf(SEVERITY, severity).text}, not cleared` }] : []),
    ...(object ? [{ key: "object", text: `Object: ${objectName ?? ""}` }] : []),
  ];
  return { severity, object, chips, drop };
}

export function Component() {
  const { data: alarms } = useSuspenseQuery(q.alarms());
  const { severity, object, chips, drop } = useFilters();
  const shown = alarms.filter(
    (alarm) =>
      (!severity || (alarm.perceivedSeverity === severity && !alarm.alarmClearedTime)) &&
      (!object || alarm.managedObjectId === object),
  );
  return (
    <Screen
      title="Alarms"
      lead="What is wrong, since when, and who has seen it. The list follows the network by itself."
    >
      {chips.length > 0 && (
        <LabelGroup categoryName="Only" aria-label="Filters of the list" className="vm-chips">
          {chips.map(({ key, text }) => (
            <Label key={key} onClose={() => drop(key)} closeBtnAriaLabel={`Remove filter ${text}`}>
              {text}
            </Label>
          ))}
        </LabelGroup>
      )}
      {shown.length === 0 ? (
        <Empty title={chips.length > 0 ? "No alarm matches" : "No alarms"} icon={BellIcon}>
          {chips.length > 0
            ? "Remove a filter above to see the others."
            : "Nothing is wrong. When a VNFC stops or disappears its alarm is shown here, without reloading."}
        </Empty>
      ) : (
        <AlarmTable alarms={shown} label="Alarms" />
      )}
    </Screen>
  );
}
