import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Button, Tab, Tabs, TabTitleText } from "@patternfly/react-core";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Link } from "react-router";
import type { PackageReport } from "@/api/types";
import { HeatValidation } from "@/features/catalog/HeatValidation";
import { DescriptorSummary } from "@/features/catalog/DescriptorSummary";
import { FindingReport } from "@/ui/FindingReport";
import { pb } from "@/paths";
import type { CodeAreaHandle } from "@/ui/CodeArea";
import { ProblemAlert } from "@/ui/Problem";
import type { Validation } from "./useValidation";
import { VNFD, VnfdEditor } from "./VnfdEditor";
import { vnfdTitle } from "@/ui/names";

/** A VNFD that was derived from a template has this provider. */
const UNKNOWN_PROVIDER = "Unknown";

function ReportSummary({ report }: { report: PackageReport }) {
  const errors = report.validationReport.filter((each) => each.severity === "error").length;
  const { vnfd, onboardedPackageId } = report;
  if (onboardedPackageId)
    return (
      <Alert isInline variant="danger" component="h2" title={t`Already in the catalog`}>
        <Link to={pb.vnfPackage(onboardedPackageId)}>
          <Trans>Show the package</Trans>
        </Link>
      </Alert>
    );
  if (!vnfd)
    return (
      <Alert
        isInline
        variant="danger"
        component="h2"
        title={t`It cannot be onboarded yet: ${plural(errors, { one: "# error", other: "# errors" })}`}
      >
        {report.missingFiles.length > 0 ? (
          <Trans>Add the files that templates name: {report.missingFiles.join(", ")}.</Trans>
        ) : (
          <Trans>Correct the findings below and drop the files again: they replace files of the same name.</Trans>
        )}
      </Alert>
    );
  const named = vnfd.provider === UNKNOWN_PROVIDER ? { ...vnfd, provider: "" } : vnfd;
  const title = named === vnfd ? vnfdTitle(vnfd) : t`${vnfdTitle(named).trim()} (provider not set)`;
  return <Alert isInline variant="success" component="h2" title={t`Ready to onboard: ${title}`} />;
}

interface Props {
  examination: Validation;
  /** Undefined unless the user has edited the VNFD. */
  vnfd: string | undefined;
  disabled: boolean;
  onEdit: (vnfd: string | undefined) => void;
}

export function ValidationResult({ examination, vnfd, disabled, onEdit }: Props) {
  const { report, derived, error, current } = examination;
  const [tab, setTab] = useState<string | number>("findings");
  const editor = useRef<CodeAreaHandle>(null);
  if (examination.whole && examination.tooLarge)
    return (
      <p className="vm-quiet">
        <Trans>A package of this size is validated after the upload.</Trans>
      </p>
    );
  if (error)
    return (
      <ProblemAlert error={error} level="h2">
        <Button variant="link" isInline onClick={examination.checkAgain}>
          <Trans>Check again</Trans>
        </Button>
      </ProblemAlert>
    );
  if (!report) return null;
  const findings = report.validationReport;
  function goTo(line: number) {
    flushSync(() => setTab("vnfd"));
    editor.current?.goTo(line);
  }
  return (
    <section aria-label={t`Validation`} className="vm-stack" aria-busy={!current}>
      <ReportSummary report={report} />
      {report.vnfd && <DescriptorSummary vnfd={report.vnfd} />}
      <Tabs activeKey={tab} onSelect={(_event, key) => setTab(key)} aria-label={t`Validation results`} isSubtab>
        <Tab
          eventKey="findings"
          title={
            <TabTitleText>
              <Trans>Findings ({findings.length})</Trans>
            </TabTitleText>
          }
        >
          <div className="vm-tab">
            <FindingReport
              findings={findings}
              line={({ file, line }) =>
                file === VNFD && derived && line > 0 ? (
                  <Button variant="link" isInline aria-label={t`Line ${line} of the VNFD`} onClick={() => goTo(line)}>
                    {line}
                  </Button>
                ) : (
                  line || "—"
                )
              }
            />
          </div>
        </Tab>
        {derived && (
          <Tab
            eventKey="vnfd"
            title={<TabTitleText>{vnfd === undefined ? t`VNFD (derived)` : t`VNFD (edited)`}</TabTitleText>}
          >
            <div className="vm-tab">
              <VnfdEditor
                text={vnfd ?? derived.vnfd}
                edited={vnfd !== undefined}
                findings={findings}
                current={current}
                disabled={disabled}
                onChange={(text) => onEdit(text === derived.vnfd ? undefined : text)}
                onReset={() => onEdit(undefined)}
                editor={editor}
                onGoTo={goTo}
              />
            </div>
          </Tab>
        )}
        {report.valid && current && (
          <Tab
            eventKey="cloud"
            title={
              <TabTitleText>
                <Trans>On a cloud</Trans>
              </TabTitleText>
            }
          >
            <div className="vm-tab">
              <HeatValidation {...examination.onCloud} knownFindings={findings} />
            </div>
          </Tab>
        )}
      </Tabs>
    </section>
  );
}
