import { t } from "@lingui/core/macro";
import type { Finding, PlanResource, PlanResult } from "@/api/types";
import { Panel } from "@/ui/Panel";
import { PlainTable } from "@/ui/PlainTable";
import { FINDING, lookOf, PLAN_ACTION } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Fold } from "./Fold";

const TYPE: Record<string, string> = { vnfc: t`VNFC`, network: t`Network`, flavor: t`Nova flavor` };

const isOfHeat = ({ source }: PlanResource): boolean => source === "heat";
/** Findings of Heat's preview, or the reason why there is none. */
export const isOfPreview = ({ code }: Finding): boolean => code.startsWith("HEAT_PREVIEW");

const OwnRows = ({ label, rows }: { label: string; rows: readonly PlanResource[] }) => (
  <PlainTable
    label={label}
    head={[t`Action`, t`Resource`, t`Type`, t`Detail`]}
    rows={rows.map((row, index) => ({
      key: `${index} ${row.name}`,
      cells: [
        <StateLabel look={lookOf(PLAN_ACTION, row.action)} />,
        row.name,
        TYPE[row.type] ?? <code>{row.type}</code>,
        row.detail,
      ],
    }))}
  />
);

/** Unchanged resources are folded unless nothing changes. */
export function Changes({ resources }: { resources: readonly PlanResource[] }) {
  const [staying = [], changing = []] = [true, false].map((stays) =>
    resources.filter((row) => !isOfHeat(row) && (row.action === "keep") === stays),
  );
  return (
    <>
      {changing.length > 0 && (
        <Panel level="h3" title={t`Changes`} count={changing.length}>
          <OwnRows label={t`Planned changes`} rows={changing} />
        </Panel>
      )}
      {staying.length > 0 && (
        <Fold title={t`Unchanged (${staying.length})`} isOpen={changing.length === 0}>
          <OwnRows label={t`Unchanged resources`} rows={staying} />
        </Fold>
      )}
    </>
  );
}

/** Resources are shown with their paths in Heat's templates. */
export function HeatPreview({ resources, findings }: Pick<PlanResult, "resources" | "findings">) {
  const rows = resources.filter(isOfHeat);
  const found = findings.filter(isOfPreview);
  if (rows.length === 0 && found.length === 0) return null;
  return (
    <Panel level="h3" title={t`Heat's preview`}>
      {found.map(({ severity, message }) => (
        <p key={message}>
          {severity !== "note" && <StateLabel look={FINDING[severity]} />} {message}
        </p>
      ))}
      {rows.length > 0 && (
        <Fold title={t`Resources of the templates (${rows.length})`}>
          <PlainTable
            label={t`Resources by Heat's preview`}
            head={[t`Action`, t`Logical path`, t`Type`]}
            rows={rows.map((row, index) => ({
              key: `${index} ${row.name}`,
              cells: [
                <StateLabel look={lookOf(PLAN_ACTION, row.action)} />,
                <code>{row.name}</code>,
                <code>{row.type}</code>,
              ],
            }))}
          />
        </Fold>
      )}
    </Panel>
  );
}
