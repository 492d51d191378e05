import ClusterIcon from "@patternfly/react-icons/dist/esm/icons/cluster-icon";
import PlusCircleIcon from "@patternfly/react-icons/dist/esm/icons/plus-circle-icon";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link, useSearchParams } from "react-router";
import { q } from "@/api/queries";
import type { OpOccSummary, Vim, VnfInstanceSummary, Vnfd } from "@/api/types";
import { AlarmBadge, alarmCountsOf, worstOf, type AlarmCounts } from "@/faults/AlarmBadge";
import { pb } from "@/paths";
import { DataTable, type Column } from "@/table/DataTable";
import { ConditionBadge, conditionOf } from "@/ui/Conditions";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { vnfdTitle } from "@/ui/names";
import { Screen } from "@/ui/Screen";
import { INSTANTIATION, lookOf, operationText, OPERATION_STATE, SEVERITIES } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";

const DASH = <span className="vm-quiet">—</span>;
const UNREAD = <span className="vm-quiet">not read</span>;
const nothing = (of: null | undefined) => (of === null ? UNREAD : DASH);

interface Row {
  instance: VnfInstanceSummary;
  /** Undefined where it has none; null while it could not be read what there is. */
  vnfd: Vnfd | undefined | null;
  vim: Vim | undefined | null;
  open: OpOccSummary | undefined;
  alarms: AlarmCounts;
}

/** What it is: an operation under way or undecided first, else ETSI's state. */
function StateCell({ instance, open }: Row) {
  if (!open) return <StateLabel look={lookOf(INSTANTIATION, instance.instantiationState)} />;
  const look = lookOf(OPERATION_STATE, open.operationState);
  return (
    <Link to={pb.operation(instance.id, open.id)}>
      <StateLabel look={{ ...look, text: `${operationText(open)}: ${look.text.toLowerCase()}` }} />
    </Link>
  );
}

function HealthCell({ instance }: Row) {
  const available = conditionOf(instance.conditions, "Available");
  return available && instance.instantiationState === "INSTANTIATED" ? <ConditionBadge condition={available} /> : DASH;
}

const vnfText = ({ vnfd }: Row): string => (vnfd ? vnfdTitle(vnfd) : "");

const COLUMNS: Column<Row>[] = [
  {
    title: "Name",
    isName: true,
    sort: (row) => row.instance.name,
    cell: ({ instance }) => <Link to={pb.instance(instance.id)}>{instance.name}</Link>,
  },
  {
    title: "State",
    cell: (row) => <StateCell {...row} />,
    sort: (row) => row.open?.operationState ?? row.instance.instantiationState,
  },
  {
    title: "Availability",
    cell: (row) => <HealthCell {...row} />,
    sort: (row) => conditionOf(row.instance.conditions, "Available")?.status ?? "",
  },
  {
    title: "Alarms",
    cell: ({ instance, alarms }) => <AlarmBadge objectId={instance.id} counts={alarms} />,
    sort: (row) => {
      const severity = worstOf(row.alarms);
      return severity ? SEVERITIES.indexOf(severity) : SEVERITIES.length;
    },
  },
  { title: "VNF", sort: vnfText, cell: (row) => (row.vnfd ? vnfText(row) : nothing(row.vnfd)) },
  {
    title: "Cloud",
    sort: (row) => row.vim?.name ?? "",
    cell: ({ vim }) => (vim ? <Link to={pb.vim(vim.id)}>{vim.name}</Link> : nothing(vim)),
  },
  { title: "VNFCs", sort: (row) => row.instance.vnfcCount, cell: (row) => row.instance.vnfcCount },
];

function useRows(): Row[] {
  const { data: instances } = useSuspenseQuery(q.vnfInstances());
  const { data: vnfds } = useQuery(q.vnfds());
  const { data: vims } = useQuery(q.vims());
  const { data: open } = useQuery(q.opOccsOpen());
  const { data, isError, isPlaceholderData } = useQuery(q.alarmCounts({ managedObjectType: "VNF_INSTANCE" }));
  return useMemo(() => {
    const alarmsOf = alarmCountsOf({ data, isError, isPlaceholderData });
    return instances.map((instance) => ({
      instance,
      vnfd: vnfds ? vnfds.find((vnfd) => vnfd.vnfdId === instance.vnfdId) : null,
      vim: vims ? vims.find((vim) => vim.id === instance.vimId) : null,
      open: open?.find((occ) => occ.vnfInstanceId === instance.id),
      alarms: alarmsOf(instance.id),
    }));
  }, [instances, vnfds, vims, open, data, isError, isPlaceholderData]);
}

export function Component() {
  const rows = useRows();
  const search = useSearchParams()[0].get("search") ?? "";
  const start = (
    <LinkButton needs="operator" to={pb.instantiate()} icon={<PlusCircleIcon />}>
      Instantiate a VNF
    </LinkButton>
  );
  return (
    <Screen title="VNF instances" lead="What runs, where, and whether it is well." actions={start}>
      {rows.length === 0 ? (
        <Empty
          title="No VNF instance yet"
          icon={ClusterIcon}
          action={<LinkButton to={pb.catalog()}>Go to the catalog</LinkButton>}
        >
          Choose a VNF in the catalog and instantiate it on a cloud.
        </Empty>
      ) : (
        <DataTable
          key={search}
          label="VNF instances"
          initialSearch={search}
          rows={rows}
          columns={COLUMNS}
          rowKey={(row) => row.instance.id}
          searchText={(row) => `${row.instance.name} ${vnfText(row)} ${row.vim?.name ?? ""}`}
          initialSort={{ column: 0, direction: "asc" }}
        />
      )}
    </Screen>
  );
}
