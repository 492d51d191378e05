import { createContext, use } from "react";
import type { Alarm } from "@/api/types";
import { pb } from "@/paths";
import { faultText } from "@/ui/names";
import { RowLink } from "@/ui/RowLink";

/** The beginning of an alarm's address; a list that shows details next to itself keeps its own query in it. */
export const AlarmsAt = createContext(pb.alarm(""));

/** Only the link renders when the address changes, not its row. */
export function AlarmLink({ alarm }: { alarm: Alarm }) {
  return (
    <RowLink to={use(AlarmsAt) + encodeURIComponent(alarm.id)} preventScrollReset title={alarm.faultType}>
      {faultText(alarm.faultType)}
    </RowLink>
  );
}
