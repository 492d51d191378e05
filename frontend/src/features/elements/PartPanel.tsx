import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { Equipment, NetworkElement } from "@/api/types";
import { AdminSwitch } from "@/features/configuration/AdminSwitch";
import { pb } from "@/paths";
import { Copy } from "@/ui/Copy";
import { Facts, type Fact } from "@/ui/Facts";
import { valueText } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { ADMIN_STATE, EQUIPMENT_STATE } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { interfaceResource, PartAlarms } from "./PartAlarms";
import { PartState } from "./PartState";
import { PortDetails } from "./port/PortDetails";
import { lookOfPart, titleOf } from "./equipment";

/** The card is a VNFC of the VNF instance. */
function VnfcLink({ element, vnfcId }: { element: NetworkElement; vnfcId: string }) {
  const { data: instance } = useQuery({
    ...q.vnfInstance(element.vnfInstanceId ?? ""),
    enabled: element.vnfInstanceId !== null,
  });
  const vnfc = instance?.vnfcs.find(({ id }) => id === vnfcId);
  if (!instance) return <>{vnfcId}</>;
  return (
    <Link to={pb.vnfcs(instance.id, vnfcId)}>
      <Trans>
        {vnfc?.name ?? vnfcId} of {instance.name}
      </Trans>
    </Link>
  );
}

/** Alarms use these names for the part. */
const resourcesOf = (element: NetworkElement, { fdn, ifIndex }: Equipment): string[] =>
  ifIndex === null ? [fdn] : [fdn, interfaceResource(element, ifIndex)];

const spaced = (name: string): string => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function factsOf(element: NetworkElement, part: Equipment): Fact[] {
  const facts: [string, Fact[1], boolean][] = [
    [
      t`State`,
      <PartState
        key="state"
        look={lookOfPart(part)}
        last={EQUIPMENT_STATE[part.lastOperState]}
        since={part.since}
        unknownSince={part.unknownSince}
      />,
      true,
    ],
    [t`Reason`, part.reason, part.reason !== ""],
    [t`Administrative`, <StateLabel key="admin" look={ADMIN_STATE[part.adminState]} />, true],
    [t`Alarms`, <PartAlarms key="alarms" element={element} resources={resourcesOf(element, part)} />, true],
    [
      t`Component`,
      part.vnfcId !== null && <VnfcLink key="vnfc" element={element} vnfcId={part.vnfcId} />,
      part.vnfcId !== null,
    ],
    [t`Type`, part.type, part.type !== ""],
    [t`Slot`, part.slot, part.slot !== ""],
    [t`Serial number`, <code key="serial">{part.serialNumber}</code>, part.serialNumber !== ""],
    [t`Software`, part.softwareVersion, part.softwareVersion !== ""],
    [t`Full name`, <Copy key="fdn" text={part.fdn} label={t`Copy the full name`} />, true],
    ...Object.entries(part.extra).map(([name, value]): [string, string, boolean] => [
      spaced(name.charAt(0).toUpperCase() + name.slice(1)),
      valueText(value),
      true,
    ]),
  ];
  return facts.filter(([, , known]) => known).map(([term, value]): Fact => [term, value]);
}

export function PartPanel({ element, part }: { element: NetworkElement; part: Equipment }) {
  return (
    <Panel title={titleOf(part)} actions={<AdminSwitch element={element} part={part} title={titleOf(part)} />}>
      <Facts facts={factsOf(element, part)} />
      {part.ifIndex !== null && <PortDetails element={element} ifIndex={part.ifIndex} />}
    </Panel>
  );
}
