import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { routeQueries, type AlarmRoute, type RouteDelivery } from "@/api/alarmRoutes";
import { pb } from "@/paths";
import { DataTable, type Column } from "@/table/DataTable";
import { ListDialog } from "@/ui/ListDialog";
import { LoadedRows } from "@/ui/LoadedRows";
import { ExactTime } from "@/ui/Time";
import { Link } from "react-router";

const STATE: Record<RouteDelivery["state"], string> = {
  WAITING: t`waiting`,
  DELIVERED: t`sent`,
  GIVEN_UP: t`given up`,
};
const EVENT: Record<RouteDelivery["event"], string> = {
  raised: t`raised`,
  changed: t`severity changed`,
  cleared: t`cleared`,
};

const COLUMNS: Column<RouteDelivery>[] = [
  {
    title: t`Alarm`,
    isName: true,
    width: 40,
    sort: ({ text }) => text,
    cell: ({ text, alarmId }) => <Link to={pb.alarm(alarmId)}>{text}</Link>,
  },
  { title: t`Event`, cell: ({ event }) => EVENT[event] },
  { title: t`At`, sort: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <ExactTime at={createdAt} /> },
  {
    title: t`State`,
    width: 30,
    sort: ({ state }) => STATE[state],
    cell: ({ state, endedAt, lastError }) => (
      <>
        {STATE[state]} {endedAt && <ExactTime at={endedAt} />}
        {state !== "DELIVERED" && <div className="vm-quiet vm-normal">{lastError}</div>}
      </>
    ),
  },
];

function Deliveries({ route, onClose }: { route: AlarmRoute; onClose: () => void }) {
  const query = useQuery(routeQueries.deliveries(route.id));
  return (
    <ListDialog title={t`Last deliveries of ${route.name}`} onClose={onClose}>
      <LoadedRows
        query={query}
        loading={t`Loading the deliveries…`}
        none={<p>{t`No alarm has matched within the last seven days.`}</p>}
      >
        {(rows) => (
          <DataTable
            label={t`Last deliveries`}
            rows={rows}
            columns={COLUMNS}
            rowKey={(row) => String(row.id)}
            searchText={({ text }) => text}
            initialSort={{ column: 2, direction: "desc" }}
          />
        )}
      </LoadedRows>
    </ListDialog>
  );
}

/** Shows alarms that the route has sent or will send. */
export function RouteDeliveries({ route }: { route: AlarmRoute }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        aria-label={t`Last deliveries of ${route.name}`}
        onClick={() => setOpen(true)}
      >
        <Trans>Deliveries</Trans>
      </Button>
      {open && <Deliveries route={route} onClose={() => setOpen(false)} />}
    </>
  );
}
