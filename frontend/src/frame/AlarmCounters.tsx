import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { q } from "@/api/queries";
import { pb } from "@/paths";
import { SEVERITIES, SEVERITY } from "@/ui/states";

const OPEN = SEVERITIES.filter((severity) => severity !== "CLEARED");

const counted = (count: number, severity: string): string =>
  plural(count, { one: `# ${severity} alarm`, other: `# ${severity} alarms` });

export function AlarmCounters() {
  const { data: known } = useQuery(q.alarmSummary());
  return (
    <nav aria-label={t`Active alarms by severity`}>
      <ul className="vm-counters">
        {OPEN.map((severity) => {
          const { text, color, icon: Icon } = SEVERITY[severity];
          const count = known?.[severity] ?? 0;
          const name = known ? counted(count, text.toLowerCase()) : t`${text} alarms: unknown`;
          return (
            <li key={severity}>
              <Link
                to={pb.alarmsOf(severity)}
                className={`vm-counter vm-color-${color}${count > 0 ? " vm-lit" : known ? " vm-none" : ""}`}
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
