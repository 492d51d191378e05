import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ToggleGroup, ToggleGroupItem } from "@patternfly/react-core";
import CheckCircleIcon from "@patternfly/react-icons/dist/esm/icons/check-circle-icon";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useState, type ReactNode } from "react";
import type { Finding, FindingSeverity } from "@/api/types";
import { Empty } from "./Empty";
import { FINDING, FINDING_SEVERITIES } from "./states";
import { StateLabel } from "./StateLabel";
import { Table } from "./Table";

/** Renders the line of a finding, as a link where the file can be shown. */
type LineLink = (finding: Finding) => ReactNode;
const PLAIN: LineLink = ({ line }) => line || "—";

/** A finding has a file, or the service that reported it: "heat of" and the name of a cloud. */
function placeOf({ file, speaker }: Finding): string {
  if (file || !speaker) return file || t`Whole package`;
  return t`Heat's validation (${speaker.replace(/^heat of /, "")})`;
}

function OfPlace({ name, findings, line }: { name: string; findings: Finding[]; line: LineLink }) {
  const isFile = findings.some(({ file }) => file !== "");
  return (
    <section aria-label={name}>
      <h3 className="vm-finding-file">
        {isFile ? <code>{name}</code> : name}{" "}
        <span className="vm-quiet">{plural(findings.length, { one: "# finding", other: "# findings" })}</span>
      </h3>
      <Table aria-label={t`Findings in ${name}`} className="vm-findings">
        <Thead>
          <Tr>
            <Th width={10}>
              <Trans>Severity</Trans>
            </Th>
            <Th width={10}>
              <Trans>Line</Trans>
            </Th>
            <Th>
              <Trans>Finding and remedy</Trans>
            </Th>
          </Tr>
        </Thead>
        <Tbody>
          {findings.map((finding) => (
            <Tr key={`${finding.code} ${finding.pointer} ${finding.message}`}>
              <Td dataLabel={t`Severity`}>
                <StateLabel look={FINDING[finding.severity]} />
              </Td>
              <Td dataLabel={t`Line`} className="vm-number">
                {line(finding)}
              </Td>
              <Td dataLabel={t`Finding and remedy`}>
                {finding.message} <code className="vm-quiet">{finding.code}</code>
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </section>
  );
}

const COUNTED: Record<FindingSeverity, (count: number) => string> = {
  error: (count) => plural(count, { one: "# error", other: "# errors" }),
  warning: (count) => plural(count, { one: "# warning", other: "# warnings" }),
  note: (count) => plural(count, { one: "# note", other: "# notes" }),
};

/**
 * Findings are grouped by file in the server's order: errors before warnings, and causes before their consequences.
 */
export function FindingReport({ findings, line = PLAIN }: { findings: readonly Finding[]; line?: LineLink }) {
  const [hidden, setHidden] = useState<ReadonlySet<FindingSeverity>>(new Set());
  if (findings.length === 0)
    return (
      <Empty title={t`No findings`} icon={CheckCircleIcon}>
        <Trans>Templates, environment and descriptor are valid.</Trans>
      </Empty>
    );
  const toggle = (severity: FindingSeverity) => {
    const next = new Set(hidden);
    if (!next.delete(severity)) next.add(severity);
    setHidden(next);
  };
  const count = (severity: FindingSeverity) => findings.filter((each) => each.severity === severity).length;
  const shown = findings.filter((each) => !hidden.has(each.severity));
  const byPlace = [...Map.groupBy(shown, placeOf)].sort(([a], [b]) => a.localeCompare(b));
  return (
    <div className="vm-stack">
      <ToggleGroup aria-label={t`Severities shown`}>
        {FINDING_SEVERITIES.filter((severity) => count(severity) > 0).map((severity) => (
          <ToggleGroupItem
            key={severity}
            buttonId={`severity-${severity}`}
            text={COUNTED[severity](count(severity))}
            isSelected={!hidden.has(severity)}
            onChange={() => toggle(severity)}
          />
        ))}
      </ToggleGroup>
      {byPlace.map(([name, of]) => (
        <OfPlace key={name} name={name} findings={of} line={line} />
      ))}
      {shown.length === 0 && (
        <p className="vm-quiet">
          <Trans>All severities are hidden.</Trans>
        </p>
      )}
    </div>
  );
}

/** A refusal lists the templates that the user can choose as the root. */
export function rootsOf(problem: object | undefined): readonly string[] {
  const { rootCandidates } = (problem ?? {}) as { rootCandidates?: unknown };
  return Array.isArray(rootCandidates) ? (rootCandidates as string[]) : [];
}

export function findingsOf(problem: object | undefined): readonly Finding[] {
  const { validationReport } = (problem ?? {}) as { validationReport?: unknown };
  return Array.isArray(validationReport) ? (validationReport as Finding[]) : [];
}
