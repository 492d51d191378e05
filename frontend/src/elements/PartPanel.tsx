import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { Equipment, NetworkElement } from "@/api/types";
import { AdminSwitch } from "@/configuration/AdminSwitch";
import { AlarmSeverity } from "@/faults/severity";
import { pb } from "@/paths";
import { filterText } from "@/table/filter";
import { Copy } from "@/ui/Copy";
import { Facts, type Fact } from "@/ui/Facts";
import { valueText } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { ADMIN_STATE, EQUIPMENT_STATE, INTERFACE_STATUS } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { PartState } from "./PartState";
import { titleOf } from "./tree";

/** The component of the VNF instance that is this card. */
function VnfcLink({ element, vnfcId }: { element: NetworkElement; vnfcId: string }) {
  const { data: instance } = useQuery({
    ...q.vnfInstance(element.vnfInstanceId ?? ""),
    enabled: element.vnfInstanceId !== null,
  });
  const vnfc = instance?.vnfcs.find(({ id }) => id === vnfcId);
  if (!instance) return <>{vnfcId}</>;
  return (
    <Link to={pb.instance(instance.id)}>
      {vnfc?.name ?? vnfcId} of {instance.name}
    </Link>
  );
}

function PartAlarms({ element, fdn }: { element: NetworkElement; fdn: string }) {
  const { data, isError } = useQuery(q.alarms({ filter: filterText([["eq", "faultyResource", fdn]]) }));
  if (!data) return <>{isError ? "unknown" : "…"}</>;
  if (data.rows.length === 0) {
    return (
      <>
        No alarm is told. <Link to={pb.alarmsHeldBack(element.id)}>Show what is held back</Link>
      </>
    );
  }
  return (
    <ul className="vm-plain-list">
      {data.rows.map((alarm) => (
        <li key={alarm.id} className="vm-labels">
          <AlarmSeverity alarm={alarm} />
          <Link to={pb.alarm(alarm.id)}>{alarm.faultType}</Link>
        </li>
      ))}
    </ul>
  );
}

function InterfaceOf({ element, ifIndex }: { element: NetworkElement; ifIndex: number }) {
  const { data } = useQuery(q.interfaces(element.id));
  const found = data?.find((each) => each.ifIndex === ifIndex);
  if (!found) return <>ifIndex {ifIndex}</>;
  return (
    <span className="vm-labels">
      {found.name}
      <StateLabel look={INTERFACE_STATUS[found.operState]} />
    </span>
  );
}

const spaced = (name: string): string => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function factsOf(element: NetworkElement, part: Equipment): Fact[] {
  const facts: [string, Fact[1], boolean][] = [
    [
      "State",
      <PartState
        key="state"
        look={EQUIPMENT_STATE[part.operState]}
        last={EQUIPMENT_STATE[part.lastOperState]}
        since={part.since}
        unknownSince={part.unknownSince}
      />,
      true,
    ],
    ["Why", part.reason, part.reason !== ""],
    ["Administrative", <StateLabel key="admin" look={ADMIN_STATE[part.adminState]} />, true],
    ["Alarms", <PartAlarms key="alarms" element={element} fdn={part.fdn} />, true],
    [
      "Component",
      part.vnfcId !== null && <VnfcLink key="vnfc" element={element} vnfcId={part.vnfcId} />,
      part.vnfcId !== null,
    ],
    ["Type", part.type, part.type !== ""],
    ["Slot", part.slot, part.slot !== ""],
    ["Serial number", <code key="serial">{part.serialNumber}</code>, part.serialNumber !== ""],
    ["Software", part.softwareVersion, part.softwareVersion !== ""],
    [
      "Interface",
      part.ifIndex !== null && <InterfaceOf key="if" element={element} ifIndex={part.ifIndex} />,
      part.ifIndex !== null,
    ],
    ["Full name", <Copy key="fdn" text={part.fdn} what="full name" />, true],
    ...Object.entries(part.extra).map(([name, value]): [string, string, boolean] => [
      spaced(name.charAt(0).toUpperCase() + name.slice(1)),
      valueText(value),
      true,
    ]),
  ];
  return facts.filter(([, , known]) => known).map(([term, value]): Fact => [term, value]);
}

/** One part of the element, all of it. */
export function PartPanel({ element, part }: { element: NetworkElement; part: Equipment }) {
  return (
    <Panel title={titleOf(part)} actions={<AdminSwitch element={element} part={part} title={titleOf(part)} />}>
      <Facts facts={factsOf(element, part)} />
    </Panel>
  );
}
