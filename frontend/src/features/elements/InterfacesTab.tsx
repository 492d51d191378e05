import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { Link, useSearchParams } from "react-router";
import { q } from "@/api/queries";
import type { Interface, NetworkElement } from "@/api/types";
import { pb } from "@/paths";
import type { Column } from "@/table/DataTable";
import { Drawer } from "@/ui/Drawer";
import { Facts, type Fact } from "@/ui/Facts";
import { INTERFACE_STATUS } from "@/ui/states";
import { interfaceResource, PartAlarms } from "./PartAlarms";
import { PartState } from "./PartState";
import { countedName } from "./port/counterNames";
import { PortDetails } from "./port/PortDetails";
import { speedText } from "@/ui/speed";
import { Parts } from "./ElementTables";
import { lookOfInterface, titleOf } from "./equipment";

const DASH = <span className="vm-quiet">—</span>;
const INTERFACE = "interface";
const NONE: readonly Interface[] = [];

/** Only the link renders when the address changes, not its row. */
function InterfaceLink({ name, ifIndex }: Pick<Interface, "name" | "ifIndex">) {
  const [params] = useSearchParams();
  const next = new URLSearchParams(params);
  next.set(INTERFACE, String(ifIndex));
  return (
    <Link to={`?${next.toString()}`} preventScrollReset>
      {name || t`ifIndex ${ifIndex}`}
    </Link>
  );
}

const columnsOf = (elementId: string, all: readonly Interface[]): Column<Interface>[] => [
  {
    title: t`Name`,
    isName: true,
    sort: ({ ifIndex }) => ifIndex,
    cell: ({ name, ifIndex, alias }) => (
      <>
        <InterfaceLink name={name} ifIndex={ifIndex} />
        {alias && <div className="vm-quiet vm-normal">{alias}</div>}
      </>
    ),
  },
  {
    title: t`State`,
    sort: ({ operState }) => operState,
    cell: (row) => (
      <PartState
        look={lookOfInterface(row)}
        last={INTERFACE_STATUS[row.lastOperState]}
        since={row.since}
        unknownSince={row.unknownSince}
      />
    ),
  },
  {
    title: t`Admin`,
    sort: ({ adminState }) => adminState,
    cell: ({ adminState }) => INTERFACE_STATUS[adminState].text,
  },
  { title: t`Speed`, sort: ({ speed }) => speed ?? -1, cell: ({ speed }) => (speed ? speedText(speed) : DASH) },
  { title: t`Addresses`, cell: ({ addresses }) => (addresses.length > 0 ? addresses.join(", ") : DASH) },
  { title: "MAC", cell: ({ mac }) => (mac ? <code>{mac}</code> : DASH) },
  { title: "MTU", sort: ({ mtu }) => mtu ?? -1, cell: ({ mtu }) => mtu ?? DASH },
  { title: "ifIndex", sort: ({ ifIndex }) => ifIndex, cell: ({ ifIndex }) => ifIndex },
  {
    title: t`Counters`,
    cell: (row) => (
      <Link to={pb.counters(elementId, countedName(row, all))} aria-label={t`Counters of ${row.name || row.ifIndex}`}>
        <Trans>Over time</Trans>
      </Link>
    ),
  },
];

function Details({ element, ifIndex }: { element: NetworkElement; ifIndex: number }) {
  const { data: parts } = useQuery(q.equipment(element.id));
  const port = parts?.find((each) => each.ifIndex === ifIndex);
  const resources = [interfaceResource(element, ifIndex), ...(port ? [port.fdn] : [])];
  const facts: Fact[] = [
    [t`Alarms`, <PartAlarms key="alarms" element={element} resources={resources} />],
    ...(port
      ? [
          [
            t`Port`,
            <Link key="port" to={pb.elementPart(element.id, port.fdn)}>
              <Trans>{titleOf(port)} in the equipment</Trans>
            </Link>,
          ] satisfies Fact,
        ]
      : []),
  ];
  return (
    <>
      <Facts facts={facts} />
      <PortDetails element={element} ifIndex={ifIndex} />
    </>
  );
}

/** The address holds the interface that is shown next to the list. */
export function InterfacesTab({ element }: { element: NetworkElement }) {
  const list = useQuery(q.interfaces(element.id));
  const [params, setParams] = useSearchParams();
  const asked = params.get(INTERFACE) ?? "";
  const all = list.data ?? NONE;
  const columns = useMemo(() => columnsOf(element.id, all), [element.id, all]);
  const close = useCallback(
    () =>
      setParams(
        (before) => {
          before.delete(INTERFACE);
          return before;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParams],
  );
  const chosen = all.find(({ ifIndex }) => String(ifIndex) === asked);
  return (
    <>
      <Parts
        label={t`Interfaces`}
        name="interfaces"
        none={[t`No interfaces`, t`The element has none, or has not been polled yet.`]}
        list={list}
        columns={columns}
        rowKey={({ ifIndex }) => String(ifIndex)}
        rowClass={(row) => (row === chosen ? "vm-row-chosen" : undefined)}
      />
      {/^\d+$/.test(asked) && (
        <Drawer title={t`Interface ${chosen?.name || asked}`} shown={asked} onClose={close}>
          <Details key={asked} element={element} ifIndex={Number(asked)} />
        </Drawer>
      )}
    </>
  );
}
