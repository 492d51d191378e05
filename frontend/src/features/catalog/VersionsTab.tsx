import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { Form, FormSelect, FormSelectOption } from "@patternfly/react-core";
import CodeBranchIcon from "@patternfly/react-icons/dist/esm/icons/code-branch-icon";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { VnfPackage } from "@/api/types";
import { Field } from "@/ui/Field";
import { pb } from "@/paths";
import { useAddress } from "@/ui/address";
import { Empty } from "@/ui/Empty";
import { bytes } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { FILE_CHANGE, ONBOARDING, USAGE, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { PlainTable } from "@/ui/PlainTable";
import { compareFiles, versionsOf, type ComparedFile } from "./versions";

const TextDiff = lazy(() => import("@/ui/TextDiff"));

const versionText = (pkg: VnfPackage): string => t`${pkg.vnfSoftwareVersion ?? ""} (VNFD ${pkg.vnfdVersion ?? ""})`;

/** The address holds the two versions and the file. */
function useCompared(pkg: VnfPackage, others: readonly VnfPackage[]) {
  const [params, setAddress] = useAddress();
  const other = others.find(({ id }) => id === params.get("with"));
  // The line belongs to the text of one file in one version.
  const choose = (changed: Record<string, string>) => setAddress({ line: "", ...changed });
  // The older version stands on the left.
  const [before, after] = other && versionsOf(pkg, [pkg, other])[0]?.id === pkg.id ? [other, pkg] : [pkg, other];
  return { before, after, other, file: params.get("file") ?? "", choose };
}

/** "" if the version does not have the file, null if it is not text. */
function useSide(pkg: VnfPackage, file: ComparedFile["before"]): string | null | undefined {
  const { data } = useQuery({ ...q.packageFile(pkg.id, file?.path ?? ""), enabled: file !== undefined });
  return file === undefined ? "" : data;
}

function FileDiff({ before, after, file }: { before: VnfPackage; after: VnfPackage; file: ComparedFile }) {
  const left = useSide(before, file.before);
  const right = useSide(after, file.after);
  if (left === undefined || right === undefined)
    return (
      <LoadingNote>
        <Trans>Loading both files…</Trans>
      </LoadingNote>
    );
  if (left === null || right === null)
    return (
      <p className="vm-quiet">
        <Trans>This is not a text file.</Trans>
      </p>
    );
  return (
    <Suspense
      fallback={
        <LoadingNote>
          <Trans>Comparing…</Trans>
        </LoadingNote>
      }
    >
      <TextDiff
        before={{ title: versionText(before), text: left }}
        after={{ title: versionText(after), text: right }}
      />
    </Suspense>
  );
}

interface ComparisonProps {
  before: VnfPackage;
  after: VnfPackage;
  path: string;
  onChoose: (path: string) => void;
}

function Comparison({ before, after, path, onChoose }: ComparisonProps) {
  const [old, now] = [useQuery(q.packageFiles(before.id)), useQuery(q.packageFiles(after.id))];
  const error = old.error ?? now.error;
  if (!old.data || !now.data)
    return error ? (
      <ProblemAlert error={error} level="h2" />
    ) : (
      <LoadingNote>
        <Trans>Loading both lists of files…</Trans>
      </LoadingNote>
    );
  const files = compareFiles(old.data, now.data);
  const differing = files.filter(({ change }) => change !== "same");
  const shown = differing.find((file) => file.path === path) ?? differing[0];
  return (
    <>
      <Panel title={t`Files that differ`} count={differing.length}>
        <PlainTable
          label={t`Files that differ`}
          head={[t`File`, t`Change`, t`Size before`, t`Size after`]}
          rows={differing.map((file) => ({
            key: file.path,
            cells: [
              <button
                key="path"
                type="button"
                className="pf-v6-c-button pf-m-link pf-m-inline"
                aria-pressed={file === shown}
                onClick={() => onChoose(file.path)}
              >
                {file.path}
              </button>,
              <StateLabel key="change" look={FILE_CHANGE[file.change]} />,
              file.before ? bytes(file.before.size) : "—",
              file.after ? bytes(file.after.size) : "—",
            ],
          }))}
        />
        <p className="vm-quiet">
          <Plural value={files.length - differing.length} one="# identical file." other="# identical files." />
        </p>
      </Panel>
      {shown && (
        <Panel title={shown.path}>
          <FileDiff key={shown.path} before={before} after={after} file={shown} />
        </Panel>
      )}
    </>
  );
}

export function VersionsTab({ pkg }: { pkg: VnfPackage }) {
  const { data: all, error } = useQuery(q.vnfPackages());
  const versions = versionsOf(pkg, all ?? []);
  const others = versions.filter(({ id }) => id !== pkg.id);
  const { before, after, other, file, choose } = useCompared(pkg, others);
  if (error && !all) return <ProblemAlert error={error} level="h2" />;
  if (!all)
    return (
      <LoadingNote>
        <Trans>Loading the catalog…</Trans>
      </LoadingNote>
    );
  if (others.length === 0)
    return (
      <Empty title={t`Only version in the catalog`} icon={CodeBranchIcon}>
        <Trans>
          Onboard another package of the same provider and product to compare the two, or to upgrade instances.
        </Trans>
      </Empty>
    );
  return (
    <div className="vm-stack">
      <Panel title={t`Versions`} count={versions.length}>
        <PlainTable
          label={t`Versions`}
          head={[t`Software version`, t`VNFD version`, t`State`, t`In use`]}
          rows={versions.map((each) => ({
            key: each.id,
            cells: [
              each.id === pkg.id ? (
                <strong key="version">
                  {each.vnfSoftwareVersion} <Trans>(this one)</Trans>
                </strong>
              ) : (
                <Link key="version" to={pb.vnfPackage(each.id)}>
                  {each.vnfSoftwareVersion}
                </Link>
              ),
              each.vnfdVersion,
              <StateLabel
                key="state"
                look={each.operationalState === "ENABLED" ? ONBOARDING.ONBOARDED : lookOf(USAGE, "DISABLED")}
              />,
              lookOf(USAGE, each.usageState).text,
            ],
          }))}
        />
      </Panel>
      <Form className="vm-choosers" aria-label={t`Comparison`} onSubmit={(event) => event.preventDefault()}>
        <Field id="versions-with" label={t`Compare with`}>
          {(aria) => (
            <FormSelect {...aria} value={other?.id ?? ""} onChange={(_event, id) => choose({ with: id })}>
              <FormSelectOption value="" label={t`Choose…`} />
              {others.map((each) => (
                <FormSelectOption key={each.id} value={each.id} label={versionText(each)} />
              ))}
            </FormSelect>
          )}
        </Field>
      </Form>
      {after && <Comparison before={before} after={after} path={file} onChoose={(path) => choose({ file: path })} />}
    </div>
  );
}
