import { alarm } from "../../mock-api/db";
import type { Alarm } from "@/api/types";
import { pb } from "@/paths";
import { renderApp } from "./app";

type Raise = (fields?: Partial<Alarm>) => void;

/** The returned function raises another alarm, by default of a full disk. */
export function renderAlarms(): Raise {
  let raise: Raise = () => undefined;
  renderApp(pb.alarms(), {
    prepare: (db) => {
      raise = (fields = { faultType: "DiskFull" }) => {
        const [object] = db.instances;
        if (object) db.alarms.push(alarm(object, { ...fields, alarmRaisedTime: new Date().toISOString() }));
      };
    },
  });
  return (fields) => raise(fields);
}
