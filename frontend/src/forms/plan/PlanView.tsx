import { Alert, ExpandableSection } from "@patternfly/react-core";
import ExclamationTriangleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useState } from "react";
import type { PlanFlavor, PlanNetwork, PlanResource, PlanResult } from "@/api/types";
import { needsText, valueText } from "@/ui/format";
import { Checks } from "@/ui/Checks";
import { Panel } from "@/ui/Panel";
import { Quota } from "@/ui/Quota";
import { PLAN_ACTION, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Table } from "@/ui/Table";

function Steps({ steps }: { steps: PlanResult["steps"] }) {
  return (
    <Panel level="h3" title="Steps">
      <ol className="vm-steps-plain" aria-label="Planned steps">
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
    <Panel level="h3" title="Resources" count={resources.length}>
      <Table aria-label="Planned resources">
        <Thead>
          <Tr>
            <Th>Action</Th>
            <Th>Resource</Th>
            <Th>Type</Th>
            <Th>Detail</Th>
          </Tr>
        </Thead>
        <Tbody>
          {rows.map((row, index) => (
            <Tr key={`${index} ${row.action} ${row.type} ${row.name}`}>
              <Td dataLabel="Action">
                <StateLabel look={lookOf(PLAN_ACTION, row.action)} />
              </Td>
              <Td dataLabel="Resource">{row.name}</Td>
              <Td dataLabel="Type" modifier="nowrap">
                <code>{row.type}</code>
              </Td>
              <Td dataLabel="Detail">{row.detail}</Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </Panel>
  );
}

const SOURCE: Record<PlanFlavor["source"], string> = {
  requested: "your choice",
  matched: "proposed",
  to_create: "will be created",
  kept: "stays",
};

function Flavors({ flavors }: { flavors: PlanFlavor[] }) {
  return (
    <Panel level="h3" title="Flavors">
      <Table aria-label="Planned flavors">
        <Thead>
          <Tr>
            <Th>VDU</Th>
            <Th>Flavor</Th>
            <Th>Needs</Th>
            <Th>Why</Th>
          </Tr>
        </Thead>
        <Tbody>
          {flavors.map((row) => (
            <Tr key={row.vduId}>
              <Td dataLabel="VDU">{row.vduId}</Td>
              <Td dataLabel="Flavor">
                {row.flavorName || "None fits"} <span className="vm-quiet">({SOURCE[row.source]})</span>
              </Td>
              <Td dataLabel="Needs">{needsText(row.needs)}</Td>
              <Td dataLabel="Why">{row.reason}</Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </Panel>
  );
}

function Networks({ networks }: { networks: PlanNetwork[] }) {
  return (
    <Panel level="h3" title="Networks">
      <Table aria-label="Planned networks">
        <Thead>
          <Tr>
            <Th>Virtual link</Th>
            <Th>Network</Th>
          </Tr>
        </Thead>
        <Tbody>
          {networks.map((row) => (
            <Tr key={row.vlId}>
              <Td dataLabel="Virtual link">{row.vlId}</Td>
              <Td dataLabel="Network">
                {row.choice === "created" ? "Made by the stack" : row.networkName}
                {row.choice === "existing" && <span className="vm-quiet"> (existing)</span>}
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </Panel>
  );
}

function Parameters({ parameters }: { parameters: Record<string, unknown> }) {
  const [open, setOpen] = useState(false);
  const names = Object.keys(parameters).sort();
  return (
    <ExpandableSection
      toggleText={`Effective HOT parameters (${names.length})`}
      isExpanded={open}
      onToggle={(_event, next) => setOpen(next)}
    >
      <Table aria-label="Effective HOT parameters">
        <Thead>
          <Tr>
            <Th>Parameter</Th>
            <Th>Value</Th>
          </Tr>
        </Thead>
        <Tbody>
          {names.map((name) => (
            <Tr key={name}>
              <Td dataLabel="Parameter">
                <code>{name}</code>
              </Td>
              <Td dataLabel="Value" modifier="breakWord">
                <code>{valueText(parameters[name])}</code>
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </ExpandableSection>
  );
}

/** A plan as the operator reads it before agreeing: warnings first, then what happens, to what, and whether it fits. */
export function PlanView({ result }: { result: PlanResult }) {
  return (
    <div className="vm-plan">
      {result.warnings.map((warning) => (
        <Alert key={warning} isInline variant="warning" title={warning} component="h3" />
      ))}
      <div className="vm-plan-top">
        <Steps steps={result.steps} />
        {result.quota.length > 0 && (
          <Panel level="h3" title="Quota of the cloud project">
            <Quota lines={result.quota} />
          </Panel>
        )}
        {result.grant.length > 0 && (
          <Panel level="h3" title="Grant">
            <Checks checks={result.grant} />
          </Panel>
        )}
      </div>
      {result.flavors.length > 0 && <Flavors flavors={result.flavors} />}
      {result.networks.length > 0 && <Networks networks={result.networks} />}
      {result.resources.length > 0 && <Resources resources={result.resources} />}
      {Object.keys(result.parameters).length > 0 && <Parameters parameters={result.parameters} />}
    </div>
  );
}
