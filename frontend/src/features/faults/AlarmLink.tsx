import { createContext, use } from "react";
import type { Alarm } from "@/api/types";
import { pb } from "@/paths";
import { faultText } from "@/ui/names";
import { RowLink } from "@/ui/RowLink";

/** What the addresses of alarms begin with: on a list that shows them next to itself, all that it is asked. */
export const AlarmsAt = createContext(pb.alarm(""));

/** Link to an alarm's details. Only the link renders when the address changes, not its row. */
export function AlarmLink({ alarm }: { alarm: Alarm }) {
  return (
    <RowLink to={use(AlarmsAt) + encodeURIComponent(alarm.id)} preventScrollReset title={alarm.faultType}>
      {faultText(alarm.faultType)}
    </RowLink>
  );
}
