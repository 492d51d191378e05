import { t } from "@lingui/core/macro";
import { Button } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AuditEntry } from "@/api/people";
import { asProblem } from "@/api/problem";
import { q } from "@/api/queries";
import { auditJob, requestOf } from "./auditText";
import { wordsOf } from "./names";
import { ANSWERED } from "./states";
import { StateLabel } from "./StateLabel";
import { UnifiedDiff } from "./UnifiedDiff";

/** An entry that is not a request was written when its action was done. */
export function AuditOutcome({ entry }: { entry: AuditEntry }) {
  const status =
    requestOf(entry)?.status ??
    (entry.action.endsWith(".refused") ? 401 : entry.action.endsWith(" FAILED") ? 500 : 200);
  const look = status < 400 ? ANSWERED.done : status < 500 ? ANSWERED.refused : ANSWERED.failed;
  return <StateLabel look={look} title={requestOf(entry) ? `HTTP ${status}` : undefined} />;
}

/** "instantiationLevelId" and "heat_stack" become words. */
const labelOf = (name: string): string => wordsOf(name.replaceAll(/[_.]/g, " "));

const detailText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(detailText).join(", ");
  if (typeof value === "boolean") return value ? t`yes` : t`no`;
  if (value === null || value === "") return t`nothing`;
  if (typeof value === "object")
    return Object.entries(value)
      .map(([name, each]) => `${labelOf(name)} ${detailText(each)}`)
      .join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** Other columns show these, or they are ids. */
const OTHER_COLUMNS: ReadonlySet<string> = new Set([
  ...[
    "id",
    "session",
    "token",
    "tokenName",
    "login",
    "names",
    "name",
    "username",
    "vnfInstanceName",
    "dryRun",
    "reason",
  ],
  ...["job", "element", "changed", "fdn", "adminState", "linesAdded", "linesRemoved", "operation", "alarms"],
  ...["changeStateTo", "type", "vnfcs"],
]);

function JobLines({ element, job }: { element: string; job: string }) {
  const [open, setOpen] = useState(false);
  const { data, error } = useQuery({ ...q.configurationJob(element, job), enabled: open });
  return (
    <>
      <Button variant="link" isInline size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? t`Hide the lines` : t`Show the lines`}
      </Button>
      {open && error && <p className="vm-quiet">{asProblem(error).detail || t`These lines are no longer stored.`}</p>}
      {open &&
        data &&
        (data.diff ? (
          <UnifiedDiff text={data.diff} label={t`Lines`} />
        ) : (
          <p className="vm-quiet">{t`No lines changed.`}</p>
        ))}
    </>
  );
}

export function AuditDetail({ entry }: { entry: AuditEntry }) {
  const { detail } = entry;
  const lines = Object.entries(detail).filter(
    ([name, value]) => !OTHER_COLUMNS.has(name) && value !== null && value !== "",
  );
  const job = auditJob(entry);
  return (
    <>
      {typeof detail["reason"] === "string" && <div className="vm-normal">{detail["reason"]}</div>}
      {lines.map(([name, value]) => (
        <div key={name} className="vm-quiet vm-normal">
          {labelOf(name)}: {detailText(value)}
        </div>
      ))}
      {job && <JobLines {...job} />}
    </>
  );
}
