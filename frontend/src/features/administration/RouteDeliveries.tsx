import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { routeQueries, type AlarmRoute, type RouteDelivery } from "@/api/alarmRoutes";
import { pb } from "@/paths";
import { DataTable, type Column } from "@/table/DataTable";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
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
  const id = useId();
  const { data, error } = useQuery(routeQueries.deliveries(route.id));
  return (
    <Modal isOpen variant="large" onClose={onClose} aria-labelledby={id}>
      <ModalHeader title={t`Last deliveries of ${route.name}`} labelId={id} />
      <ModalBody>
        {error && !data && <ProblemAlert error={error} />}
        {!error && !data && (
          <LoadingNote>
            <Trans>Loading the deliveries…</Trans>
          </LoadingNote>
        )}
        {data?.length === 0 && (
          <p>
            <Trans>No alarm has matched within the last seven days.</Trans>
          </p>
        )}
        {data && data.length > 0 && (
          <DataTable
            label={t`Last deliveries`}
            rows={data}
            columns={COLUMNS}
            rowKey={(row) => String(row.id)}
            searchText={({ text }) => text}
            initialSort={{ column: 2, direction: "desc" }}
          />
        )}
      </ModalBody>
      <ModalFooter>
        <Button variant="secondary" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </ModalFooter>
    </Modal>
  );
}

/** Opens the alarms that the route has sent of late, and those that wait. */
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
