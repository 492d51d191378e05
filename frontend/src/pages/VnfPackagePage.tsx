import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { vnfPackageDelete, vnfPackageSetState } from "@/api/calls";
import { keys } from "@/api/keys";
import { noteDeleted } from "@/api/live";
import { q } from "@/api/queries";
import type { Vnfd, VnfPackage } from "@/api/types";
import { deleteAction } from "@/features/catalog/packageActions";
import { DescriptorPanels } from "@/features/catalog/DescriptorPanels";
import { EnvironmentsTab } from "@/features/catalog/EnvironmentsTab";
import { FilesTab } from "@/features/catalog/FilesTab";
import { FindingReport, findingsOf } from "@/ui/FindingReport";
import { PackageOverview } from "@/features/catalog/PackageOverview";
import { FiguresTab, InstancesTab, ValidationTab } from "@/features/catalog/packageTabs";
import { TopologyTab } from "@/features/catalog/TopologyTab";
import { VersionsTab } from "@/features/catalog/VersionsTab";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { pb } from "@/paths";
import { ActionButton, ChangeButton } from "@/ui/ActionButton";
import { LinkButton } from "@/ui/LinkButton";
import { packageName } from "@/ui/names";
import { PageTabs } from "@/ui/PageTabs";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { Screen } from "@/ui/Screen";
import { ONBOARDING, USAGE, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";

function Parts({ pkg, vnfd }: { pkg: VnfPackage; vnfd: Vnfd }) {
  return (
    <PageTabs
      label={t`Parts of the VNF package`}
      parts={[
        { key: "overview", title: t`Overview`, content: () => <PackageOverview pkg={pkg} vnfd={vnfd} /> },
        { key: "files", title: t`Files`, content: () => <FilesTab packageId={pkg.id} /> },
        { key: "vnfd", title: "VNFD", content: () => <DescriptorPanels vnfd={vnfd} /> },
        { key: "topology", title: t`Topology`, content: () => <TopologyTab vnfd={vnfd} /> },
        { key: "figures", title: t`Figures`, content: () => <FiguresTab vnfdId={vnfd.vnfdId} /> },
        { key: "validation", title: t`Validation`, content: () => <ValidationTab packageId={pkg.id} /> },
        { key: "versions", title: t`Versions`, content: () => <VersionsTab pkg={pkg} /> },
        {
          key: "environments",
          title: t`Environments`,
          content: () => <EnvironmentsTab vnfd={vnfd} enabled={pkg.operationalState === "ENABLED"} />,
        },
        { key: "instances", title: t`Instances`, content: () => <InstancesTab pkg={pkg} /> },
      ]}
    />
  );
}

const UNDER_WAY: Partial<Record<VnfPackage["onboardingState"], string>> = {
  CREATED: t`The package is empty: no content has been uploaded yet.`,
  UPLOADING: t`Uploading the package…`,
  PROCESSING: t`Uploaded; unpacking and validating…`,
};

function NotOnboarded({ pkg }: { pkg: VnfPackage }) {
  const failure = pkg.onboardingFailureDetails;
  const findings = findingsOf(failure ?? undefined);
  return (
    <div className="vm-stack">
      {failure ? (
        <ProblemAlert error={failure} level="h2" {...(findings.length > 0 ? { rest: [] } : {})} />
      ) : (
        <LoadingNote>{UNDER_WAY[pkg.onboardingState]}</LoadingNote>
      )}
      {findings.length > 0 && (
        <Panel title={t`Findings`} count={findings.length}>
          <FindingReport findings={findings} />
        </Panel>
      )}
    </div>
  );
}

function Delete({ pkg }: { pkg: VnfPackage }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  return (
    <>
      <ActionButton action={deleteAction(pkg)} variant="secondary" isDanger onClick={() => setOpen(true)}>
        <Trans>Delete</Trans>
      </ActionButton>
      {open && (
        <ConfirmDialog
          title={t`Delete ${packageName(pkg)}`}
          button={t`Delete`}
          onClose={() => setOpen(false)}
          run={async () => {
            await vnfPackageDelete(pkg.id);
            noteDeleted(client, pkg.id);
          }}
          onDone={async () => {
            await navigate(pb.catalog());
            client.removeQueries({ queryKey: keys.vnfPackage(pkg.id) });
            await client.invalidateQueries({ queryKey: keys.vnfPackages });
          }}
        >
          <Trans>The package and its files are deleted permanently.</Trans>
        </ConfirmDialog>
      )}
    </>
  );
}

function VnfPackagePage() {
  const { id = "" } = useParams();
  const client = useQueryClient();
  const { data: pkg } = useSuspenseQuery(q.vnfPackage(id));
  const { data: vnfd, error } = useQuery({ ...q.vnfd(pkg.vnfdId ?? ""), enabled: Boolean(pkg.vnfdId) });
  const enabled = pkg.operationalState === "ENABLED";
  const toggle = useMutation({
    mutationFn: () => vnfPackageSetState(id, enabled ? "DISABLED" : "ENABLED"),
    onSuccess: () =>
      Promise.all(
        [keys.vnfPackage(id), keys.vnfPackages, keys.vnfds].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
  const onboarded = pkg.onboardingState === "ONBOARDED";
  const usable = onboarded && enabled && pkg.vnfdId;
  return (
    <Screen
      title={packageName(pkg)}
      crumbs={[{ text: t`Catalog`, to: pb.catalog() }]}
      labels={
        <>
          <StateLabel look={lookOf(ONBOARDING, pkg.onboardingState)} />
          {onboarded && !enabled && <StateLabel look={lookOf(USAGE, "DISABLED")} />}
          <StateLabel look={lookOf(USAGE, pkg.usageState)} />
        </>
      }
      lead={pkg.vnfSoftwareVersion ? t`Software ${pkg.vnfSoftwareVersion}` : undefined}
      actions={
        <>
          {usable && (
            <LinkButton needs="operator" to={pb.instantiate(usable)}>
              <Trans>Instantiate</Trans>
            </LinkButton>
          )}
          {usable && (
            <LinkButton variant="secondary" to={pb.dimensioning(usable)}>
              <Trans>Dimensioning</Trans>
            </LinkButton>
          )}
          {onboarded && (
            <ChangeButton variant="secondary" isLoading={toggle.isPending} onClick={() => toggle.mutate()}>
              {enabled ? t`Disable` : t`Enable`}
            </ChangeButton>
          )}
          <Delete pkg={pkg} />
        </>
      }
    >
      <div className="vm-stack">
        {toggle.isError && <ProblemAlert error={toggle.error} level="h2" />}
        {error && !vnfd && <ProblemAlert error={error} level="h2" />}
        {pkg.vnfdId && !vnfd && !error && (
          <LoadingNote>
            <Trans>Loading the VNFD…</Trans>
          </LoadingNote>
        )}
        {!onboarded && <NotOnboarded pkg={pkg} />}
        {vnfd && <Parts pkg={pkg} vnfd={vnfd} />}
      </div>
    </Screen>
  );
}

export { VnfPackagePage as Component };
