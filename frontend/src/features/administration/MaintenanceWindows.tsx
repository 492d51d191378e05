import { t } from "@lingui/core/macro";
import ToolsIcon from "@patternfly/react-icons/dist/esm/icons/tools-icon";
import { useQuery } from "@tanstack/react-query";
import { maintenanceWindowCreate, maintenanceWindowDelete, maintenanceWindowUpdate } from "@/api/callsFaults";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import { useState } from "react";
import type { MaintenanceWindow, MaintenanceWindowInput } from "@/api/types";
import { Records, type RecordKind } from "@/records/Records";
import { ExactTime } from "@/ui/Time";
import { OBJECTS } from "@/records/optionSources";

const HOURS_MS = 2 * 3_600_000;
const isOver = ({ endsAt }: MaintenanceWindow): boolean => Date.parse(endsAt) <= Date.now();

function stateOf({ startsAt, endsAt }: MaintenanceWindow): string {
  const now = Date.now();
  if (Date.parse(endsAt) <= now) return t`Ended`;
  return Date.parse(startsAt) <= now ? t`Active` : t`Scheduled`;
}

function inputOf({ object, ...rest }: Record<string, unknown>): MaintenanceWindowInput {
  const [managedObjectType, managedObjectId] = String(object).split("/");
  return { ...rest, managedObjectType, managedObjectId } as MaintenanceWindowInput;
}

/** Alarms of an object are suppressed during a window; those that outlast it are raised at its end. */
export function MaintenanceWindows() {
  const [soon] = useState(() => Date.now());
  const kind: RecordKind<MaintenanceWindow> = {
    toAdd: t`Add a maintenance window`,
    noneYet: t`No maintenance windows yet`,
    isGone: t`This maintenance window no longer exists`,
    many: t`Maintenance windows`,
    name: "maintenance-windows",
    nameOf: ({ managedObjectName, reason }) => `${managedObjectName}: ${reason}`,
    lead: t`During its window, alarms of an object are recorded but suppressed. Alarms that outlast the window are raised.`,
    icon: ToolsIcon,
    empty: t`Plan a window before work on a cloud, a VNF instance or a network element: its alarms are suppressed.`,
    useList: () => useQuery(q.maintenanceWindows()),
    queryKey: keys.maintenanceWindows,
    columns: [
      { title: t`Object`, isName: true, sort: (row) => row.managedObjectName, cell: (row) => row.managedObjectName },
      { title: t`State`, sort: stateOf, cell: stateOf },
      { title: t`From`, sort: ({ startsAt }) => startsAt, cell: ({ startsAt }) => <ExactTime at={startsAt} /> },
      { title: t`To`, sort: ({ endsAt }) => endsAt, cell: ({ endsAt }) => <ExactTime at={endsAt} /> },
      { title: t`Reason`, width: 30, cell: ({ reason }) => reason },
      { title: t`By`, cell: ({ createdBy }) => createdBy },
    ],
    fields: (row) => [
      {
        ...{ kind: "search", name: "object", label: t`Object`, required: !row, when: () => !row },
        source: OBJECTS,
      },
      { kind: "time", name: "startsAt", label: t`From`, required: true, when: () => !row },
      { kind: "time", name: "endsAt", label: t`To`, required: true },
      { kind: "text", name: "reason", label: t`Reason`, required: true },
    ],
    fresh: { startsAt: new Date(soon).toISOString(), endsAt: new Date(soon + HOURS_MS).toISOString() },
    create: (input) => maintenanceWindowCreate(inputOf(input)),
    update: ({ id, version }, input) => maintenanceWindowUpdate(id, input, version),
    remove: ({ id, version }) => maintenanceWindowDelete(id, version),
    removeWords: { button: t`End`, of: (name) => t`End ${name}` },
    removal: t`It ends now, and alarms of faults that still exist are raised. A window that has not begun is deleted.`,
    isFixed: isOver,
  };
  return <Records kind={kind} />;
}
