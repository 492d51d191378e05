import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, ExpandableSection } from "@patternfly/react-core";
import ExclamationTriangleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useState } from "react";
import type { PlanFlavor, PlanNetwork, PlanResource, PlanResult } from "@/api/types";
import { FindingReport } from "@/ui/FindingReport";
import { needsText, valueText } from "@/ui/format";
import { GrantChecks } from "@/ui/GrantChecks";
import { Panel } from "@/ui/Panel";
import { PlainTable } from "@/ui/PlainTable";
import { Quota } from "@/ui/Quota";
import { PLAN_ACTION, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Table } from "@/ui/Table";

function Steps({ steps }: { steps: PlanResult["steps"] }) {
  return (
    <Panel level="h3" title={t`Steps`}>
      <ol className="vm-steps-plain" aria-label={t`Planned steps`}>
        {steps.map((step, index) => (
          <li key={step.seq}>
            {step.title}
            {step.oneWay && step.oneWay !== steps[index - 1]?.oneWay && (
              <span className="vm-one-way">
                <ExclamationTriangleIcon /> {step.oneWay}
              </span>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Resources({ resources }: { resources: PlanResource[] }) {
  const order: PlanResource["action"][] = ["delete", "replace", "create", "update", "keep"];
  const rows = [...resources].sort((a, b) => order.indexOf(a.action) - order.indexOf(b.action));
  return (
    <Panel level="h3" title={t`Resources`} count={resources.length}>
      <Table aria-label={t`Planned resources`}>
        <Thead>
          <Tr>
            <Th>
              <Trans>Action</Trans>
            </Th>
            <Th>
              <Trans>Resource</Trans>
            </Th>
            <Th>
              <Trans>Type</Trans>
            </Th>
            <Th>
              <Trans>Detail</Trans>
            </Th>
          </Tr>
        </Thead>
        <Tbody>
          {rows.map((row, index) => (
            <Tr key={`${index} ${row.action} ${row.type} ${row.name}`}>
              <Td dataLabel={t`Action`}>
                <StateLabel look={lookOf(PLAN_ACTION, row.action)} />
              </Td>
              <Td dataLabel={t`Resource`}>{row.name}</Td>
              <Td dataLabel={t`Type`} modifier="nowrap">
                <code>{row.type}</code>
              </Td>
              <Td dataLabel={t`Detail`}>{row.detail}</Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </Panel>
  );
}

const SOURCE: Record<PlanFlavor["source"], string> = {
  requested: t`your choice`,
  default: t`template default`,
  matched: t`proposed`,
  to_create: t`will be created`,
  kept: t`stays`,
  fixed: t`fixed in the template`,
  stack: t`created by the stack`,
};

function Flavors({ flavors }: { flavors: PlanFlavor[] }) {
  return (
    <Panel level="h3" title={t`Nova flavors`}>
      <PlainTable
        label={t`Planned flavors`}
        head={[t`VDU`, t`Nova flavor`, t`Requirements`, t`Reason`]}
        rows={flavors.map((row) => ({
          key: row.vduId,
          cells: [
            row.vduId,
            <>
              {row.flavorName || t`None fits`} <span className="vm-quiet">({SOURCE[row.source]})</span>
            </>,
            needsText(row.needs),
            row.reason,
          ],
        }))}
      />
    </Panel>
  );
}

function Networks({ networks }: { networks: PlanNetwork[] }) {
  return (
    <Panel level="h3" title={t`Networks`}>
      <PlainTable
        label={t`Planned networks`}
        head={[t`Virtual link`, t`Network`]}
        rows={networks.map((row) => ({
          key: row.vlId,
          cells: [
            row.vlId,
            <>
              {row.choice === "created" ? t`Created by the stack` : row.networkName}
              {row.choice === "existing" && (
                <span className="vm-quiet">
                  {" "}
                  <Trans>(existing)</Trans>
                </span>
              )}
            </>,
          ],
        }))}
      />
    </Panel>
  );
}

function Parameters({ parameters }: { parameters: Record<string, unknown> }) {
  const [open, setOpen] = useState(false);
  const names = Object.keys(parameters).sort();
  return (
    <ExpandableSection
      toggleText={t`Effective HOT parameters (${names.length})`}
      isExpanded={open}
      onToggle={(_event, next) => setOpen(next)}
    >
      <Table aria-label={t`Effective HOT parameters`}>
        <Thead>
          <Tr>
            <Th>
              <Trans>Parameter</Trans>
            </Th>
            <Th>
              <Trans>Value</Trans>
            </Th>
          </Tr>
        </Thead>
        <Tbody>
          {names.map((name) => (
            <Tr key={name}>
              <Td dataLabel={t`Parameter`}>
                <code>{name}</code>
              </Td>
              <Td dataLabel={t`Value`} modifier="breakWord">
                <code>{valueText(parameters[name])}</code>
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </ExpandableSection>
  );
}

/** The VNFCs that the plan deletes. */
export const deletedVnfcs = (result: PlanResult | null | undefined): PlanResource[] =>
  result?.resources.filter(({ action, type }) => action === "delete" && type === "vnfc") ?? [];

const namesOf = (rows: PlanResource[]): string => rows.map(({ name }) => name).join("; ");

function Effect({ rows, variant, title }: { rows: PlanResource[]; variant: "danger" | "warning"; title: string }) {
  if (rows.length === 0) return null;
  return (
    <Alert isInline variant={variant} component="h3" title={title}>
      {namesOf(rows)}
    </Alert>
  );
}

/** What a person should know before; nothing of it stops the operation. */
function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  const title = plural(warnings.length, { one: "# warning", other: "# warnings" });
  return (
    <Alert isInline variant="warning" component="h3" title={title}>
      <ul className="vm-sentences">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Alert>
  );
}

/** What stops carrying traffic by the plan, worst first: before all else that it says. */
function Disruptions({ resources }: { resources: PlanResource[] }) {
  const of = (action: PlanResource["action"], type: string) =>
    resources.filter((each) => each.action === action && each.type === type);
  const [deleted, replaced, changed] = [of("delete", "vnfc"), of("replace", "vnfc"), of("update", "vnfc")];
  const networks = of("delete", "network");
  return (
    <>
      <Effect
        rows={deleted}
        variant="danger"
        title={plural(deleted.length, { one: "# VNFC will be deleted", other: "# VNFCs will be deleted" })}
      />
      <Effect
        rows={networks}
        variant="danger"
        title={plural(networks.length, { one: "# network will be deleted", other: "# networks will be deleted" })}
      />
      <Effect
        rows={replaced}
        variant="danger"
        title={plural(replaced.length, {
          one: "# VNFC will be recreated as a new server",
          other: "# VNFCs will be recreated as new servers",
        })}
      />
      <Effect
        rows={changed.map((row) => ({ ...row, name: row.detail ? `${row.name}: ${row.detail}` : row.name }))}
        variant="warning"
        title={plural(changed.length, { one: "# VNFC is affected", other: "# VNFCs are affected" })}
      />
    </>
  );
}

/** A plan as the operator reads it before agreeing: warnings first, then what happens, to what, and whether it fits. */
export function PlanView({ result }: { result: PlanResult }) {
  return (
    <div className="vm-plan">
      <Disruptions resources={result.resources} />
      <Warnings warnings={result.warnings} />
      <div className="vm-plan-top">
        <Steps steps={result.steps} />
        {result.quota.length > 0 && (
          <Panel level="h3" title={t`Quota of the cloud project`}>
            <Quota lines={result.quota} />
          </Panel>
        )}
        {result.grant.length > 0 && (
          <Panel level="h3" title={t`Grant`}>
            <GrantChecks checks={result.grant} />
          </Panel>
        )}
      </div>
      {result.findings.length > 0 && (
        <Panel level="h3" title={t`Templates`}>
          <FindingReport findings={result.findings} />
        </Panel>
      )}
      {result.flavors.length > 0 && <Flavors flavors={result.flavors} />}
      {result.networks.length > 0 && <Networks networks={result.networks} />}
      {result.resources.length > 0 && <Resources resources={result.resources} />}
      {Object.keys(result.parameters).length > 0 && <Parameters parameters={result.parameters} />}
    </div>
  );
}
