import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import NetworkIcon from "@patternfly/react-icons/dist/esm/icons/network-icon";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, type ReactNode } from "react";
import { elementCsvHref } from "@/api/callsElements";
import { filterText } from "@/api/filter";
import { q } from "@/api/queries";
import type { ElementQuery, NetworkElement } from "@/api/types";
import { AlarmBadge, useAlarmCounts, type AlarmCounts } from "@/features/faults/AlarmBadge";
import { pb } from "@/paths";
import { CsvLink } from "@/table/CsvLink";
import { SearchFilter } from "@/table/Filters";
import { ListBar, type FilterField } from "@/table/ListBar";
import { PageCount } from "@/table/PageCount";
import { ServerTable, type ServerColumn } from "@/table/ServerTable";
import { TableOptions } from "@/table/TableOptions";
import { useListView, type ListView } from "@/ui/listView";
import { ConditionBadge, conditionOf } from "@/ui/Conditions";
import { Empty } from "@/ui/Empty";
import { RowLink } from "@/ui/RowLink";
import { ELEMENT_KIND, ELEMENT_STATE, lookOf, RESYNC } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { elementsAt, SITES_OR_NONE } from "@/records/siteOptions";
import { ResyncState } from "./ResyncState";

const DASH = <span className="vm-quiet">—</span>;
const BY_NAME = { by: "name", desc: false };

function Reachable({ element }: { element: NetworkElement }) {
  const condition = conditionOf(element.conditions, "Reachable");
  return condition ? <ConditionBadge isShort condition={condition} /> : DASH;
}

export const NoElements = ({ register }: { register: ReactNode }) => (
  <Empty title={t`No network elements yet`} icon={NetworkIcon} action={register}>
    <Trans>Register a router by its management address, or add a discovery rule.</Trans>
  </Empty>
);

function columnsOf(alarmsOf: (id: string) => AlarmCounts): ServerColumn<NetworkElement>[] {
  return [
    {
      title: t`Name`,
      isName: true,
      sortBy: "name",
      cell: (element) => (
        <>
          <RowLink to={pb.element(element.id)}>{element.name}</RowLink>{" "}
          <div className="vm-quiet vm-normal">{element.managementAddress}</div>
        </>
      ),
    },
    { title: t`Kind`, sortBy: "kind", cell: ({ kind }) => ELEMENT_KIND[kind] },
    {
      title: t`Type`,
      sortBy: "chassisType",
      cell: ({ chassisType, softwareVersion }) => (
        <>
          {chassisType || DASH}
          {softwareVersion && <div className="vm-quiet">{softwareVersion}</div>}
        </>
      ),
    },
    { title: t`Site`, cell: ({ siteName }) => siteName ?? DASH },
    { title: t`Reachability`, sortBy: "reachable", cell: (element) => <Reachable element={element} /> },
    {
      title: t`State`,
      sortBy: "state",
      cell: ({ state }) => <StateLabel look={lookOf(ELEMENT_STATE, state)} />,
    },
    { title: t`Alarms`, cell: ({ id }) => <AlarmBadge objectId={id} counts={alarmsOf(id)} /> },
    { title: t`Resync`, sortBy: "resync/state", cell: (element) => <ResyncState element={element} /> },
  ];
}

/** Only an IP address, or a part of one, consists of these characters. */
const isAddress = (text: string): boolean => /^[\da-f]*[.:][\da-f.:]*$/i.test(text);

function queryOf(view: ListView): NonNullable<ElementQuery> {
  return {
    filter: elementsAt(
      view.get("site"),
      filterText([
        ["cont", isAddress(view.get("name")) ? "managementAddress" : "name", view.get("name")],
        ["eq", "kind", view.get("kind")],
        ["eq", "state", view.get("state")],
        ["eq", "reachable", view.get("reachable")],
        ["eq", "resync/state", view.get("resync")],
      ]),
    ),
    sort: view.sortText,
    ...view.paging,
  };
}

const FIELDS: readonly FilterField[] = [
  { name: "kind", label: t`Kind`, every: t`All kinds`, options: Object.entries(ELEMENT_KIND) },
  {
    name: "reachable",
    label: t`Reachability`,
    every: t`Any reachability`,
    options: [
      ["True", t`Reachable`],
      ["False", t`Unreachable`],
      ["Unknown", t`Unknown`],
    ],
  },
  {
    name: "state",
    label: t`State`,
    every: t`All states`,
    options: Object.entries(ELEMENT_STATE).map(([key, { text }]) => [key, text] as const),
  },
  {
    name: "resync",
    label: t`Resync`,
    every: t`All resync states`,
    options: Object.entries(RESYNC).map(([key, { text }]) => [key, text] as const),
  },
  { name: "site", label: t`Site`, every: t`All sites`, source: SITES_OR_NONE },
];

export function ElementList({ register }: { register: ReactNode }) {
  const view = useListView(BY_NAME);
  const page = useQuery(q.elements(queryOf(view)));
  // The counts must belong to the rendered rows: other counts would render all rows again.
  const ids = (useDeferredValue(page.data)?.rows ?? []).map(({ id }) => id);
  const alarmsOf = useAlarmCounts(ids);
  const columns = useMemo(() => columnsOf(alarmsOf), [alarmsOf]);
  const plain = view.get("name") === "" && FIELDS.every(({ name }) => view.get(name) === "");
  return (
    <>
      <ListBar
        label={t`Elements`}
        view={view}
        fields={FIELDS}
        search={<SearchFilter view={view} name="name" label={t`Search by name or address`} />}
        end={
          <>
            <PageCount
              page={page}
              view={view}
              counted={(rows) => plural(rows, { one: "# element", other: "# elements" })}
            />
            <CsvLink href={elementCsvHref(queryOf(view))} file="elements.csv" />
            <TableOptions label={t`Elements`} columns={columns} />
          </>
        }
      />
      <ServerTable
        label={t`Elements`}
        page={page}
        columns={columns}
        rowKey={({ id }) => id}
        view={view}
        empty={plain && <NoElements register={register} />}
      />
    </>
  );
}
