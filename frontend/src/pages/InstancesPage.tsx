import { Trans } from "@lingui/react/macro";
import { t } from "@lingui/core/macro";
import ClusterIcon from "@patternfly/react-icons/dist/esm/icons/cluster-icon";
import PlusCircleIcon from "@patternfly/react-icons/dist/esm/icons/plus-circle-icon";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { CLOUDS, VNFS } from "@/records/optionSources";
import { q } from "@/api/queries";
import type { OpOccSummary, Vim, VnfInstanceSummary, Vnfd } from "@/api/types";
import { AlarmBadge, alarmCountsOf, worstOf, type AlarmCounts } from "@/features/faults/AlarmBadge";
import { BulkBar } from "@/features/instances/bulk/BulkBar";
import { HEALTH, healthOf, HEALTHS } from "@/features/instances/health";
import { pb } from "@/paths";
import { DataTable, type Column } from "@/table/DataTable";
import type { FilterField } from "@/table/ListBar";
import { filterText } from "@/api/filter";
import { SavedViews } from "@/table/SavedViews";
import { useListView, type ListView } from "@/ui/listView";
import { ConditionBadge, conditionOf } from "@/ui/Conditions";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { Loading } from "@/ui/Loading";
import { vnfdTitle } from "@/ui/names";
import { RowLink } from "@/ui/RowLink";
import { Screen } from "@/ui/Screen";
import { changingLook } from "@/ui/operationText";
import { INSTANTIATION, lookOf, SEVERITIES, SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago } from "@/ui/Time";
import { useChangingInstances } from "@/ui/useChangingInstances";

const DASH = <span className="vm-quiet">—</span>;
const UNREAD = (
  <span className="vm-quiet">
    <Trans>not loaded</Trans>
  </span>
);
const nothing = (of: null | undefined) => (of === null ? UNREAD : DASH);

interface Row {
  instance: VnfInstanceSummary;
  /** Undefined: the catalog does not contain it; null: the catalog could not be read. */
  vnfd: Vnfd | undefined | null;
  vim: Vim | undefined | null;
  open: OpOccSummary | undefined;
  alarms: AlarmCounts;
}

/** An operation that runs or waits for a decision is shown instead of ETSI's state. */
function StateCell({ instance, open }: Row) {
  const changing = useChangingInstances().get(instance.id);
  if (!open) return <StateLabel look={lookOf(INSTANTIATION, instance.instantiationState)} />;
  return (
    <RowLink to={pb.operation(instance.id, open.id)}>
      <StateLabel look={changing ?? changingLook(open)} />
    </RowLink>
  );
}

function HealthCell({ instance }: Row) {
  const available = conditionOf(instance.conditions, "Available");
  return available && available.reason !== "NotInstantiated" ? <ConditionBadge isShort condition={available} /> : DASH;
}

const managementText = ({ instance }: Row): string => instance.managementAddresses.join(", ");
const scaleText = ({ instance }: Row): string =>
  instance.scale.map(({ name, level, maxLevel }) => t`${name}: level ${level} of ${maxLevel}`).join("; ");
const vnfText = ({ vnfd }: Row): string => (vnfd ? vnfdTitle(vnfd) : "");

// A constant, because the list would sort thousands of rows again for a new function.
const keyOf = ({ instance }: Row): string => instance.id;
const nameOf = ({ instance }: Row): string => instance.name;
const searchText = (row: Row): string => `${nameOf(row)} ${vnfText(row)} ${row.vim?.name ?? ""} ${managementText(row)}`;

const COLUMNS: Column<Row>[] = [
  {
    title: t`Name`,
    isName: true,
    sort: nameOf,
    cell: ({ instance }) => <RowLink to={pb.instance(instance.id)}>{instance.name}</RowLink>,
  },
  {
    title: t`State`,
    cell: (row) => <StateCell {...row} />,
    sort: (row) => row.open?.operationState ?? row.instance.instantiationState,
  },
  {
    title: t`Availability`,
    cell: (row) => <HealthCell {...row} />,
    sort: (row) => conditionOf(row.instance.conditions, "Available")?.status ?? "",
  },
  {
    title: t`Alarms`,
    cell: ({ instance, alarms }) => <AlarmBadge objectId={instance.id} counts={alarms} />,
    sort: (row) => {
      const severity = worstOf(row.alarms);
      return severity ? SEVERITIES.indexOf(severity) : SEVERITIES.length;
    },
  },
  { title: "VNF", sort: vnfText, cell: (row) => (row.vnfd ? vnfText(row) : nothing(row.vnfd)) },
  {
    title: t`Cloud`,
    sort: (row) => row.vim?.name ?? "",
    cell: ({ vim }) => (vim ? <RowLink to={pb.vim(vim.id)}>{vim.name}</RowLink> : nothing(vim)),
  },
  {
    title: t`Created`,
    isOptional: true,
    from: 1536,
    sort: (row) => row.instance.createdAt,
    cell: (row) => <Ago at={row.instance.createdAt} />,
  },
  { title: "VNFCs", sort: (row) => row.instance.vnfcCount, cell: (row) => row.instance.vnfcCount },
  {
    title: t`Address`,
    isOptional: true,
    from: 1440,
    sort: managementText,
    cell: (row) => managementText(row) || DASH,
  },
  { title: t`Scale level`, isOptional: true, from: 1920, sort: scaleText, cell: (row) => scaleText(row) || DASH },
  {
    title: t`Deployment flavour`,
    isOptional: true,
    from: 1680,
    sort: ({ instance }) => instance.flavourId,
    cell: ({ instance }) => instance.flavourId || DASH,
  },
];

/** The server applies these filters; the browser applies the others to the result. */
const filterOf = (view: ListView): string | undefined =>
  filterText([
    ["eq", "instantiationState", view.get("state")],
    ["eq", "vnfdId", view.get("vnf")],
    ["eq", "vimId", view.get("cloud")],
  ]);

/** The first page is shown until all are read, which takes seconds for thousands of instances. */
function useInstances(filter: string | undefined) {
  const first = useQuery(q.vnfInstancesFirst(filter));
  const isPart = first.data?.next !== undefined;
  const all = useQuery({ ...q.vnfInstancesBy(filter), enabled: isPart });
  const read = isPart ? all : { ...first, data: first.data?.rows };
  if (read.error && !read.data) throw read.error;
  const waiting = read.isPending || read.isPlaceholderData;
  const firstRows = first.data?.rows;
  return { instances: waiting && !first.isPlaceholderData ? firstRows : (read.data ?? firstRows), waiting };
}

function useRows(view: ListView) {
  const { instances, waiting } = useInstances(filterOf(view));
  const { data: vnfds } = useQuery(q.vnfds());
  const { data: vims } = useQuery(q.vims());
  const { data: open } = useQuery(q.opOccsOpen());
  const { data, error, isPlaceholderData } = useQuery(q.alarmCounts({ managedObjectType: "VNF_INSTANCE" }));
  const rows = useMemo(() => {
    const alarmsOf = alarmCountsOf({ data, error, isPlaceholderData });
    return instances?.map((instance): Row => ({
      instance,
      vnfd: vnfds ? vnfds.find((vnfd) => vnfd.vnfdId === instance.vnfdId) : null,
      vim: vims ? vims.find((vim) => vim.id === instance.vimId) : null,
      open: open?.find((occ) => occ.vnfInstanceId === instance.id),
      alarms: alarmsOf(instance.id),
    }));
  }, [instances, vnfds, vims, open, data, error, isPlaceholderData]);
  return { rows, waiting, uncounted: error !== null };
}

/** A row whose state is unknown matches no filter. */
function useFound(rows: readonly Row[] | undefined, view: ListView): Row[] {
  const [health, worst] = [view.get("health"), view.get("alarms")];
  return useMemo(
    () =>
      (rows ?? []).filter(
        ({ instance, alarms }) =>
          (health === "" || healthOf(instance) === health) &&
          (worst === "" || (alarms === "NONE" ? "NONE" : worstOf(alarms)) === worst),
      ),
    [rows, health, worst],
  );
}

const WORST = [
  ...SEVERITIES.filter((severity) => severity !== "CLEARED").map(
    (severity) => [severity, t`Worst alarm: ${SEVERITY[severity].text.toLowerCase()}`] as const,
  ),
  ["NONE", t`No alarms`] as const,
];

const FIELDS: readonly FilterField[] = [
  {
    name: "state",
    label: t`Instantiation state`,
    every: t`All states`,
    options: Object.entries(INSTANTIATION).map(([key, { text }]) => [key, text] as const),
  },
  {
    name: "health",
    label: t`Availability`,
    every: t`Any availability`,
    options: HEALTHS.map((key) => [key, HEALTH[key].text] as const),
  },
  { name: "alarms", label: t`Worst alarm`, every: t`Any alarms`, options: WORST },
  { name: "vnf", label: t`VNF`, every: t`All VNFs`, source: VNFS },
  { name: "cloud", label: t`Cloud`, every: t`All clouds`, source: CLOUDS },
];

function InstancesPage() {
  const view = useListView();
  const { rows, waiting, uncounted } = useRows(view);
  const found = useFound(rows, view);
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  if (!rows) return <Loading />;
  const start = (
    <LinkButton needs="operator" to={pb.instantiate()} icon={<PlusCircleIcon />}>
      <Trans>Instantiate a VNF</Trans>
    </LinkButton>
  );
  const plain = FIELDS.every(({ name }) => view.get(name) === "");
  return (
    <Screen title={t`VNF instances`} actions={start}>
      {rows.length === 0 && plain && !waiting ? (
        <Empty
          title={t`No VNF instances yet`}
          icon={ClusterIcon}
          action={
            <LinkButton to={pb.catalog()}>
              <Trans>Go to the catalog</Trans>
            </LinkButton>
          }
        >
          <Trans>Choose a VNF in the catalog and instantiate it on a cloud.</Trans>
        </Empty>
      ) : (
        <div className={waiting ? "vm-waiting" : ""} aria-busy={waiting}>
          <BulkBar
            instances={found.map(({ instance }) => instance).filter(({ id }) => chosen.has(id))}
            onClear={() => choose(new Set())}
          />
          <DataTable
            label={t`VNF instances`}
            rows={found}
            columns={COLUMNS}
            rowKey={keyOf}
            searchText={searchText}
            isPart={waiting}
            filters={{ view, fields: FIELDS }}
            selection={{ chosen, choose, nameOf }}
            end={<SavedViews list="instances" />}
            initialSort={{ column: 0, direction: "asc" }}
            {...(uncounted && view.get("alarms") !== "" ? { none: t`Their alarms are unknown` } : {})}
          />
        </div>
      )}
    </Screen>
  );
}

export { InstancesPage as Component };
