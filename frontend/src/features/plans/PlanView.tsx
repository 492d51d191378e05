import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert } from "@patternfly/react-core";
import ExclamationTriangleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon";
import type { PlanFlavor, PlanNetwork, PlanResult, Setting } from "@/api/types";
import { FindingReport } from "@/ui/FindingReport";
import { needsText, valueText } from "@/ui/format";
import { GrantChecks } from "@/ui/GrantChecks";
import { Panel } from "@/ui/Panel";
import { PlainTable } from "@/ui/PlainTable";
import { Quota } from "@/ui/Quota";
import { Disruptions } from "./Disruptions";
import { Fold } from "./Fold";
import { Changes, HeatPreview, isOfPreview } from "./PlanResources";
import { PlanSettings } from "./PlanSettings";

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
  const names = Object.keys(parameters).sort();
  return (
    <Fold title={t`Effective HOT parameters (${names.length})`}>
      <PlainTable
        label={t`Effective HOT parameters`}
        head={[t`Parameter`, t`Value`]}
        rows={names.map((name) => ({
          key: name,
          cells: [<code>{name}</code>, <code>{valueText(parameters[name])}</code>],
        }))}
      />
    </Fold>
  );
}

/** Warnings do not prevent the operation. */
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

interface Props {
  result: PlanResult;
  /** The VNFD's settings give the labels. */
  settings?: readonly Setting[];
}

/** The order is that of importance before agreeing: summary, losses, changes, everything else. */
export function PlanView({ result, settings = [] }: Props) {
  const ofTemplates = result.findings.filter((finding) => !isOfPreview(finding));
  return (
    <div className="vm-plan">
      {result.summary && <p className="vm-plan-summary">{result.summary}</p>}
      <Disruptions result={result} />
      <Warnings warnings={result.warnings} />
      <Changes resources={result.resources} />
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
      {ofTemplates.length > 0 && (
        <Panel level="h3" title={t`Templates`}>
          <FindingReport findings={ofTemplates} />
        </Panel>
      )}
      <PlanSettings planned={result.settings ?? []} settings={settings} />
      {result.flavors.length > 0 && <Flavors flavors={result.flavors} />}
      {result.networks.length > 0 && <Networks networks={result.networks} />}
      <HeatPreview resources={result.resources} findings={result.findings} />
      {Object.keys(result.parameters).length > 0 && <Parameters parameters={result.parameters} />}
    </div>
  );
}
