import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Page } from "@/api/client";
import { q } from "@/api/queries";
import type { Alarm } from "@/api/types";
import { pb } from "@/paths";
import { faultText } from "@/ui/names";
import { lookOf, SEVERITIES, SEVERITY } from "@/ui/states";
import { chime, isSevere, mayNotify, useAlerts, type Alerts } from "./alerts";

const keyOf = ({ id, alarmRaisedTime }: Alarm): string => `${id} ${alarmRaisedTime}`;

/** An old alarm that moved up into the page, because others left it, is not new. */
function newAlarms(before: Page<Alarm>, now: Page<Alarm>): Alarm[] {
  const known = new Set(before.rows.map(keyOf));
  const oldest = before.next === undefined ? "" : (before.rows.at(-1)?.alarmRaisedTime ?? "");
  return now.rows.filter((alarm) => !known.has(keyOf(alarm)) && alarm.alarmRaisedTime >= oldest);
}

function notify(alarms: readonly Alarm[]): void {
  const [worst] = [...alarms].sort(
    (a, b) => SEVERITIES.indexOf(a.perceivedSeverity) - SEVERITIES.indexOf(b.perceivedSeverity),
  );
  if (!worst) return;
  const title = t`${lookOf(SEVERITY, worst.perceivedSeverity).text}: ${faultText(worst.faultType)} of ${worst.managedObjectName}`;
  const others =
    alarms.length > 1 ? [plural(alarms.length - 1, { one: "And # more alarm.", other: "And # more alarms." })] : [];
  const shown = new Notification(title, { body: [worst.probableCause, ...others].join("\n"), tag: "vnfm-alarms" });
  shown.onclick = () => {
    // A new tab is opened, because this one may contain unsaved input.
    globalThis.open(pb.alarm(worst.id), "_blank");
  };
}

function Watch({ sound, notification, from }: Alerts) {
  const { data } = useQuery(q.alarms({ list: "current", sort: "-alarmRaisedTime" }));
  const before = useRef<Page<Alarm>>(undefined);
  useEffect(() => {
    if (!data) return;
    const raised = before.current ? newAlarms(before.current, data) : [];
    before.current = data;
    const found = raised.filter(({ perceivedSeverity }) => isSevere(perceivedSeverity, from));
    if (found.length === 0) return;
    if (sound) chime();
    if (notification && mayNotify() === "granted") notify(found);
  }, [data, sound, notification, from]);
  return null;
}

/** Sound and browser notifications are off unless the user enables them. */
export function AlarmAlerts() {
  const [alerts] = useAlerts();
  return alerts.sound || alerts.notification ? <Watch {...alerts} /> : null;
}
