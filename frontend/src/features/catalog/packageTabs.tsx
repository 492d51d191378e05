import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import CalculatorIcon from "@patternfly/react-icons/dist/esm/icons/calculator-icon";
import ClusterIcon from "@patternfly/react-icons/dist/esm/icons/cluster-icon";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { packageReport } from "@/api/calls";
import { q } from "@/api/queries";
import type { QuotaDemand, VnfInstanceSummary, VnfPackage } from "@/api/types";
import { FigureTable } from "@/features/dimensioning/FigureTable";
import { pb } from "@/paths";
import { DataTable, type Column } from "@/table/DataTable";
import { filterText } from "@/api/filter";
import { Empty } from "@/ui/Empty";
import { memory } from "@/ui/format";
import { LinkButton } from "@/ui/LinkButton";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { INSTANTIATION, lookOf } from "@/ui/states";
import { Sentences } from "@/ui/Sentences";
import { StateLabel } from "@/ui/StateLabel";
import { HeatValidation } from "./HeatValidation";
import { FindingReport } from "@/ui/FindingReport";
import { PlainTable } from "@/ui/PlainTable";

/** Each figure names the page and table of its source. */
export function FiguresTab({ vnfdId }: { vnfdId: string }) {
  const { data, error } = useQuery(q.figures(vnfdId));
  if (error && !data) return <ProblemAlert error={error} level="h2" />;
  if (!data)
    return (
      <LoadingNote>
        <Trans>Loading the figures…</Trans>
      </LoadingNote>
    );
  if (data.figures.length === 0)
    return (
      <Empty title={t`No measurements`} icon={CalculatorIcon}>
        {data.unknown[0] ?? t`The package contains no figures.yaml.`}
      </Empty>
    );
  return (
    <div className="vm-stack">
      <Panel title={t`Measured figures`} count={data.figures.length}>
        <FigureTable label={t`Measured figures`} figures={data.figures} />
      </Panel>
      <Sentences title={t`Contradictions between sources`} sentences={data.contradictions.map(({ text }) => text)} />
      <Sentences title={t`Unknowns`} sentences={data.unknown} />
    </div>
  );
}

function Quota({ rows }: { rows: readonly QuotaDemand[] }) {
  return (
    <Panel title={t`Quota per instance`} count={rows.length}>
      <PlainTable
        label={t`Quota per instance`}
        head={[
          t`Flavour`,
          t`Instantiation level`,
          "VMs",
          "vCPUs",
          t`Memory`,
          t`Disk`,
          t`Ports`,
          t`SR-IOV ports`,
          t`Networks`,
        ]}
        rows={rows.map((row) => ({
          key: `${row.flavourId} ${row.instantiationLevelId}`,
          cells: [
            ...[row.flavourId, row.instantiationLevelId, row.instances, row.vcpus, memory(row.memoryMib)],
            ...[t`${row.diskGib} GiB`, row.ports, row.sriovPorts, row.networks],
          ],
        }))}
      />
    </Panel>
  );
}

export function ValidationTab({ packageId }: { packageId: string }) {
  const { data, error } = useQuery(q.packageReport(packageId));
  if (error && !data) return <ProblemAlert error={error} level="h2" />;
  if (!data)
    return (
      <LoadingNote>
        <Trans>Loading the report…</Trans>
      </LoadingNote>
    );
  return (
    <div className="vm-stack">
      <Panel title={t`Findings`} count={data.validationReport.length}>
        <FindingReport
          findings={data.validationReport}
          line={({ file, line }) =>
            line > 0 ? (
              <Link to={pb.vnfPackageFile(packageId, file, line)} aria-label={t`Line ${line} of ${file}`}>
                {line}
              </Link>
            ) : (
              "—"
            )
          }
        />
      </Panel>
      <Panel title={t`On a cloud`}>
        <HeatValidation
          packageKey={packageId}
          knownFindings={data.validationReport}
          validate={(vimId) => packageReport(packageId, vimId)}
        />
      </Panel>
      <Quota rows={data.quota} />
    </div>
  );
}

const INSTANCE_COLUMNS: Column<VnfInstanceSummary>[] = [
  {
    title: t`Name`,
    isName: true,
    sort: (row) => row.name,
    cell: (row) => <Link to={pb.instance(row.id)}>{row.name}</Link>,
  },
  {
    title: t`State`,
    sort: (row) => row.instantiationState,
    cell: (row) => <StateLabel look={lookOf(INSTANTIATION, row.instantiationState)} />,
  },
  { title: "VNFCs", sort: (row) => row.vnfcCount, cell: (row) => row.vnfcCount },
  { title: t`Description`, cell: (row) => row.description || "—" },
];

/** These instances prevent the package from being deleted. */
export function InstancesTab({ pkg }: { pkg: VnfPackage }) {
  // A package that was never onboarded has no VNFD.
  const filter = filterText([["eq", "vnfdId", pkg.vnfdId ?? ""]]);
  const { data, error, isLoading } = useQuery({ ...q.vnfInstancesBy(filter), enabled: filter !== undefined });
  if (error && !data) return <ProblemAlert error={error} level="h2" />;
  if (isLoading)
    return (
      <LoadingNote>
        <Trans>Loading the instances…</Trans>
      </LoadingNote>
    );
  const rows = (data ?? []).filter((each) => each.vnfdId === pkg.vnfdId);
  if (rows.length === 0)
    return (
      <Empty
        title={t`No VNF instances`}
        icon={ClusterIcon}
        {...(pkg.operationalState === "ENABLED" && pkg.vnfdId
          ? {
              action: (
                <LinkButton to={pb.instantiate(pkg.vnfdId)}>
                  <Trans>Instantiate</Trans>
                </LinkButton>
              ),
            }
          : {})}
      >
        <Trans>A package without instances can be deleted once it is disabled.</Trans>
      </Empty>
    );
  return (
    <DataTable
      label={t`VNF instances of the package`}
      name="instances"
      rows={rows}
      columns={INSTANCE_COLUMNS}
      rowKey={(row) => row.id}
      initialSort={{ column: 0, direction: "asc" }}
    />
  );
}
