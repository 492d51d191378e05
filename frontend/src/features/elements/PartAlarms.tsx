import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { NetworkElement } from "@/api/types";
import { AlarmSeverity } from "@/features/faults/AlarmSeverity";
import { pb } from "@/paths";
import { faultText } from "@/ui/names";
import { filterText } from "@/api/filter";

/** Alarms use this name for an interface that is not a port of the equipment. */
export const interfaceResource = (element: NetworkElement, ifIndex: number): string =>
  `${element.id}:interface-${ifIndex}`;

/** `resources` are the names that alarms use for the part. */
export function PartAlarms({ element, resources }: { element: NetworkElement; resources: readonly string[] }) {
  const filter = filterText([
    ["eq", "managedObjectId", element.id],
    ["in", "faultyResource", resources.join(",")],
  ]);
  const { data, isError } = useQuery(q.alarms({ filter }));
  if (!data) return <>{isError ? t`unknown` : "…"}</>;
  if (data.rows.length === 0) {
    return (
      <Trans>
        No active alarms. <Link to={pb.suppressedAlarms(element.id)}>Show suppressed alarms</Link>
      </Trans>
    );
  }
  return (
    <ul className="vm-plain-list">
      {data.rows.map((alarm) => (
        <li key={alarm.id} className="vm-labels">
          <AlarmSeverity alarm={alarm} />
          <Link to={pb.alarm(alarm.id)}>{faultText(alarm.faultType)}</Link>
        </li>
      ))}
    </ul>
  );
}
