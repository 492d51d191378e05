import { t } from "@lingui/core/macro";
import type { AuditEntry } from "@/api/people";
import { wordsOf } from "./names";
import { ANSWERED } from "./states";
import { StateLabel } from "./StateLabel";

const REQUEST = /^([A-Z]+) (\d{3})$/;

/** Of an entry that tells of a request: its method, and the status that it ended with. */
export function requestOf({ action }: Pick<AuditEntry, "action">): { method: string; status: number } | undefined {
  const [, method, status] = REQUEST.exec(action) ?? [];
  return method === undefined ? undefined : { method, status: Number(status) };
}

/** How it ended. What is no request was written down when it was done. */
export function AuditOutcome({ entry }: { entry: AuditEntry }) {
  const status = requestOf(entry)?.status ?? (entry.action.endsWith(".refused") ? 401 : 200);
  const look = status < 400 ? ANSWERED.done : status < 500 ? ANSWERED.refused : ANSWERED.failed;
  return <StateLabel look={look} />;
}

/** "instantiationLevelId" and "heat_stack" as words. */
const labelOf = (name: string): string => wordsOf(name.replaceAll(/[_.]/g, " "));

const detailText = (value: unknown): string => {
  if (Array.isArray(value)) return value.length > 3 ? t`${value.length} items` : value.map(detailText).join(", ");
  if (typeof value === "boolean") return value ? t`yes` : t`no`;
  if (value === null || value === "") return t`nothing`;
  if (typeof value === "object")
    return Object.entries(value)
      .map(([name, each]) => `${labelOf(name)} ${detailText(each)}`)
      .join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** Ids, which say less than the rest. */
const LAST: readonly string[] = ["id", "session", "token", "login"];

/** What else is written down, a line for each. */
export function AuditDetail({ entry: { detail } }: { entry: AuditEntry }) {
  const lines = Object.entries(detail).sort(([a], [b]) => LAST.indexOf(a) - LAST.indexOf(b));
  return (
    <>
      {lines.map(([name, value]) => (
        <div key={name} className="vm-quiet vm-normal">
          {labelOf(name)}: {detailText(value)}
        </div>
      ))}
    </>
  );
}
