import ClusterIcon from "@patternfly/react-icons/dist/esm/icons/cluster-icon";
import PlusCircleIcon from "@patternfly/react-icons/dist/esm/icons/plus-circle-icon";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { Alarm, OpOccSummary, Severity, Vim, VnfInstanceSummary } from "@/api/types";
import { pb } from "@/paths";
import { DataTable, type Column } from "@/table/DataTable";
import { conditionOf } from "@/ui/Conditions";
import { Empty } from "@/ui/Empty";
import { plural } from "@/ui/format";
import { LinkButton } from "@/ui/LinkButton";
import { Screen } from "@/ui/Screen";
import { conditionLook, INSTANTIATION, lookOf, OPERATION, OPERATION_STATE, SEVERITIES, SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Since } from "@/ui/Time";

interface Row {
  instance: VnfInstanceSummary;
  vim: Vim | undefined;
  running: OpOccSummary | undefined;
  alarms: Alarm[];
}

const worst = (alarms: readonly Alarm[]): Severity | undefined =>
  SEVERITIES.find((severity) => alarms.some((alarm) => alarm.perceivedSeverity === severity));

function StateCell({ instance, vim, running }: Row) {
  if (running) {
    const look = lookOf(OPERATION_STATE, running.operationState);
    return (
      <Link to={pb.operation(instance.id, running.id)}>
        <StateLabel
          look={{ ...look, text: `${OPERATION[running.operation] ?? running.operation}: ${look.text.toLowerCase()}` }}
        />
      </Link>
    );
  }
  const reachable = vim && conditionOf(vim.conditions, "VimReachable");
  if (instance.instantiationState === "INSTANTIATED" && reachable && reachable.status !== "True") {
    const look = conditionLook({ type: "Available", status: "Unknown" });
    return (
      <span>
        <StateLabel look={{ ...look, text: "Unknown" }} title={reachable.message} />{" "}
        <span className="vm-quiet">
          since <Since at={reachable.lastTransitionTime} />
        </span>
      </span>
    );
  }
  return <StateLabel look={lookOf(INSTANTIATION, instance.instantiationState)} />;
}

function AlarmCell({ instance, alarms }: Row) {
  const severity = worst(alarms);
  if (!severity) return <span className="vm-quiet">None</span>;
  const look = SEVERITY[severity];
  return (
    <Link
      to={pb.alarmsFor(instance.id)}
      aria-label={`${plural(alarms.length, "alarm")}, worst ${look.text.toLowerCase()}`}
    >
      <StateLabel look={{ ...look, text: `${alarms.length} · ${look.text}` }} />
    </Link>
  );
}

const levels = ({ instance }: Row): string =>
  (instance.instantiatedVnfInfo?.scaleStatus ?? []).map((each) => `${each.aspectId}: ${each.scaleLevel}`).join(", ");
const nameOf = ({ instance }: Row): string => instance.vnfInstanceName ?? instance.id;

const COLUMNS: Column<Row>[] = [
  {
    title: "Name",
    isName: true,
    sort: nameOf,
    cell: (row) => <Link to={pb.instance(row.instance.id)}>{nameOf(row)}</Link>,
  },
  {
    title: "State",
    cell: (row) => <StateCell {...row} />,
    sort: (row) => row.running?.operationState ?? row.instance.instantiationState,
  },
  {
    title: "Alarms",
    cell: (row) => <AlarmCell {...row} />,
    sort: (row) => {
      const severity = worst(row.alarms);
      return severity ? SEVERITIES.indexOf(severity) : SEVERITIES.length;
    },
  },
  {
    title: "VNF",
    sort: (row) => row.instance.vnfProductName,
    cell: ({ instance }) => `${instance.vnfProvider} ${instance.vnfProductName} ${instance.vnfSoftwareVersion}`,
  },
  {
    title: "Cloud",
    sort: (row) => row.vim?.name ?? "",
    cell: ({ vim }) => (vim ? <Link to={pb.vim(vim.id)}>{vim.name}</Link> : <span className="vm-quiet">—</span>),
  },
  {
    title: "VNFCs",
    sort: (row) => row.instance.instantiatedVnfInfo?.vnfcResourceInfo?.length ?? 0,
    cell: (row) => row.instance.instantiatedVnfInfo?.vnfcResourceInfo?.length ?? <span className="vm-quiet">—</span>,
  },
  { title: "Scale", cell: (row) => levels(row) || <span className="vm-quiet">—</span> },
];

function vimIdOf(instance: VnfInstanceSummary): string | undefined {
  return Object.values(instance.vimConnectionInfo ?? {})[0]?.vimId ?? undefined;
}

export function Component() {
  const { data: instances } = useSuspenseQuery(q.vnfInstances());
  const { data: vims } = useQuery(q.vims());
  const { data: running } = useQuery(q.opOccsRunning());
  const { data: alarms } = useQuery(q.alarms());
  const rows = useMemo(() => {
    const active = Map.groupBy(
      (alarms ?? []).filter((alarm) => !alarm.alarmClearedTime),
      (alarm) => alarm.managedObjectId,
    );
    return instances.map((instance) => ({
      instance,
      vim: vims?.find((vim) => vim.id === vimIdOf(instance)),
      running: running?.find((occ) => occ.vnfInstanceId === instance.id),
      alarms: active.get(instance.id) ?? [],
    }));
  }, [instances, vims, running, alarms]);
  const start = (
    <LinkButton to={pb.instantiate()} icon={<PlusCircleIcon />}>
      Instantiate a VNF
    </LinkButton>
  );
  return (
    <Screen title="VNF instances" lead="What runs, where, and whether it is well." actions={start}>
      {instances.length === 0 ? (
        <Empty
          title="No VNF instance yet"
          icon={ClusterIcon}
          action={<LinkButton to={pb.catalog()}>Go to the catalog</LinkButton>}
        >
          Choose a VNF in the catalog and instantiate it on a cloud.
        </Empty>
      ) : (
        <DataTable
          label="VNF instances"
          rows={rows}
          columns={COLUMNS}
          rowKey={(row) => row.instance.id}
          searchText={(row) => `${nameOf(row)} ${row.instance.vnfProductName} ${row.vim?.name ?? ""}`}
          initialSort={{ column: 0, direction: "asc" }}
        />
      )}
    </Screen>
  );
}
