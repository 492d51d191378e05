import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { Severity } from "@/api/types";
import { pb } from "@/paths";
import { plural } from "./format";
import { SEVERITIES, SEVERITY } from "./states";

/** The counters every operations desk looks at first: alarms not cleared, by severity, each a way to its list. */
export function AlarmCounters() {
  const alarms = useQuery({
    ...q.alarms(),
    select: (all) => {
      const count = new Map<Severity, number>();
      for (const { perceivedSeverity: s, alarmClearedTime } of all) {
        if (!alarmClearedTime && s !== "CLEARED") count.set(s, (count.get(s) ?? 0) + 1);
      }
      return count;
    },
  });
  const known = alarms.data;
  return (
    <nav aria-label="Active alarms by severity">
      <ul className="vm-counters">
        {SEVERITIES.filter((s) => s !== "CLEARED").map((severity) => {
          const { text, color, icon: Icon } = SEVERITY[severity];
          const count = known?.get(severity) ?? 0;
          const name = known ? plural(count, `${text.toLowerCase()} alarm`) : `${text} alarms: unknown`;
          return (
            <li key={severity}>
              <Link
                to={pb.alarmsOf(severity)}
                className={`vm-counter vm-color-${color}${count > 0 ? " vm-lit" : ""}`}
                aria-label={name}
                title={name}
              >
                <Icon />
                <span aria-hidden="true">{known ? count : "?"}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
