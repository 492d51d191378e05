import { t } from "@lingui/core/macro";
import { Link } from "react-router";
import { pb } from "@/paths";
import { DataTable, type Column } from "@/table/DataTable";
import { packageName } from "@/ui/names";
import { stateOf } from "./packageActions";
import { InstantiateLink, PackageStates, type Entry } from "./PackageCard";

const COLUMNS: Column<Entry>[] = [
  {
    title: t`Package`,
    isName: true,
    sort: ({ pkg }) => packageName(pkg),
    cell: ({ pkg }) => <Link to={pb.vnfPackage(pkg.id)}>{packageName(pkg)}</Link>,
  },
  {
    title: t`Software version`,
    sort: ({ pkg }) => pkg.vnfSoftwareVersion ?? "",
    cell: ({ pkg }) => pkg.vnfSoftwareVersion ?? "—",
  },
  { title: t`VNFD version`, sort: ({ pkg }) => pkg.vnfdVersion ?? "", cell: ({ pkg }) => pkg.vnfdVersion ?? "—" },
  {
    title: "VDUs",
    cell: ({ vnfd }) => vnfd?.vdus.map((vdu) => vdu.name).join(", ") ?? "—",
  },
  {
    title: t`State`,
    sort: ({ pkg }) => stateOf(pkg),
    cell: ({ pkg }) => (
      <>
        <PackageStates pkg={pkg} />
        {pkg.onboardingFailureDetails && <p>{pkg.onboardingFailureDetails.detail}</p>}
      </>
    ),
  },
  { title: t`Action`, cell: ({ pkg }) => <InstantiateLink pkg={pkg} /> },
];

export function PackageTable({ entries }: { entries: readonly Entry[] }) {
  return (
    <DataTable
      label={t`VNF packages`}
      rows={entries}
      columns={COLUMNS}
      rowKey={({ pkg }) => pkg.id}
      initialSort={{ column: 0, direction: "asc" }}
    />
  );
}
