import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import AngleDownIcon from "@patternfly/react-icons/dist/esm/icons/angle-down-icon";
import AngleRightIcon from "@patternfly/react-icons/dist/esm/icons/angle-right-icon";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { q } from "@/api/queries";
import type { Alarm } from "@/api/types";
import type { DetailRowsProps } from "@/table/ServerTable";
import { faultText } from "@/ui/names";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { AlarmLink } from "./AlarmLink";
import { AlarmSeverity } from "./AlarmSeverity";

function Line({ alarm }: { alarm: Alarm }) {
  const { managedObjectName: object, faultyResourceName: part } = alarm;
  return (
    <span className="vm-alarm-line">
      <AlarmSeverity alarm={alarm} />
      <AlarmLink alarm={alarm} />
      <span>{part.startsWith(object) ? part : [object, part].filter(Boolean).join(", ")}</span>
    </span>
  );
}

const causedBy = (id: string) => q.alarms({ filter: `(eq,rootCauseAlarmId,${id})`, list: "merged", suppressed: true });

/** Consequences of an alarm as rows of the alarm list. */
export function CausedRows({ row, line, note }: DetailRowsProps<Alarm>) {
  const { data, error } = useQuery(causedBy(row.id));
  if (error && !data) return note(<ProblemAlert error={error} />);
  if (!data)
    return note(
      <LoadingNote>
        <Trans>Loading the consequences…</Trans>
      </LoadingNote>,
    );
  return (
    <>
      {data.rows.map(line)}
      {data.next !== undefined &&
        note(
          <span className="vm-quiet">
            <Trans>… and more</Trans>
          </span>,
        )}
    </>
  );
}

/** Consequences of an alarm, a level at a time; lower levels are loaded when opened. */
function Caused({ id }: { id: string }) {
  const { data, error } = useQuery(causedBy(id));
  if (error && !data) return <ProblemAlert error={error} />;
  if (!data)
    return (
      <LoadingNote>
        <Trans>Loading the consequences…</Trans>
      </LoadingNote>
    );
  return (
    <ul className="vm-caused">
      {data.rows.map((alarm) => (
        <li key={alarm.id}>
          <Branch alarm={alarm} />
        </li>
      ))}
      {data.next !== undefined && (
        <li className="vm-quiet">
          <Trans>… and more</Trans>
        </li>
      )}
    </ul>
  );
}

function Branch({ alarm }: { alarm: Alarm }) {
  const [open, setOpen] = useState(false);
  if (alarm.correlatedCount === 0) return <Line alarm={alarm} />;
  return (
    <>
      <span className="vm-labels">
        <Button
          variant="plain"
          size="sm"
          aria-expanded={open}
          aria-label={t`Consequences of ${faultText(alarm.faultType)}`}
          icon={open ? <AngleDownIcon /> : <AngleRightIcon />}
          onClick={() => setOpen(!open)}
        />
        <Line alarm={alarm} />
        <span className="vm-quiet">
          <Trans>causes {alarm.correlatedCount}</Trans>
        </span>
      </span>
      {open && <Caused id={alarm.id} />}
    </>
  );
}

function Root({ id }: { id: string }) {
  const { data, error } = useQuery(q.alarm(id));
  if (error && !data) return <ProblemAlert error={error} />;
  if (!data)
    return (
      <LoadingNote>
        <Trans>Loading the root cause…</Trans>
      </LoadingNote>
    );
  return (
    <>
      <h4>
        <Trans>Caused by</Trans>
      </h4>
      <Line alarm={data} />
    </>
  );
}

export function Correlation({ alarm }: { alarm: Alarm }) {
  return (
    <div className="vm-stack-tight">
      {alarm.rootCauseAlarmId ? (
        <Root id={alarm.rootCauseAlarmId} />
      ) : (
        <p className="vm-quiet">
          <Trans>No root cause known.</Trans>
        </p>
      )}
      {alarm.correlatedCount > 0 && (
        <>
          <h4>
            <Plural value={alarm.correlatedCount} one="Causes # active alarm" other="Causes # active alarms" />
          </h4>
          <Caused key={alarm.id} id={alarm.id} />
        </>
      )}
    </div>
  );
}
