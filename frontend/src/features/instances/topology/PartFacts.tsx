import { t } from "@lingui/core/macro";
import type { InstanceNetwork, Port, VnfInstance, Vnfc } from "@/api/types";
import { VnfcStatus } from "@/ui/VnfcStatus";
import { VnfcAlarmBadge } from "@/features/instances/Vnfcs";
import type { VnfcAlarms } from "@/features/instances/vnfcAlarms";
import { Facts, type Fact } from "@/ui/Facts";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { MAP_STATE, portStatus } from "@/ui/states";
import { Ago, Since } from "@/ui/Time";
import { kindOf, networkState } from "./graph";

const DASH = "—";
type AlarmsOf = (vnfcId: string) => VnfcAlarms;

function PortLine({ port, where }: { port: Port; where: string }) {
  return (
    <li>
      <StateLabel look={portStatus(port.status)} /> {port.cpId || port.id} · {where}
      <span className="vm-quiet"> {[...port.ipAddresses, port.macAddress].filter(Boolean).join(", ")}</span>
    </li>
  );
}

function vnfcFacts(instance: VnfInstance, vnfc: Vnfc, alarms: VnfcAlarms): Fact[] {
  const networkName = (id: string) => instance.networks.find((each) => each.id === id)?.name ?? id;
  return [
    [t`Slot`, vnfc.slot || DASH],
    ["VDU", vnfc.vduId],
    [t`Status`, <VnfcStatus key="status" vnfc={vnfc} />],
    [t`Since`, <Since key="since" at={vnfc.statusSince} />],
    [t`Alarms`, <VnfcAlarmBadge key="alarms" instanceId={instance.id} vnfc={vnfc} alarms={alarms} />],
    [t`Host`, vnfc.host || DASH],
    [t`Nova flavor`, vnfc.flavor || DASH],
    [t`Server`, <code key="server">{vnfc.serverId}</code>],
    [t`Observed`, vnfc.observedAt ? <Ago key="seen" at={vnfc.observedAt} /> : DASH],
    [
      t`Ports`,
      <ul key="ports" className="vm-plain-list">
        {vnfc.ports.map((port) => (
          <PortLine key={port.id} port={port} where={networkName(port.networkId)} />
        ))}
      </ul>,
    ],
  ];
}

function networkFacts(instance: VnfInstance, network: InstanceNetwork): Fact[] {
  return [
    [t`State`, <StateLabel key="state" look={MAP_STATE[networkState(network.id, instance.vnfcs)]} />],
    [t`Virtual link`, network.vlId || DASH],
    [t`Created by`, kindOf(network)],
    [t`Id`, <code key="id">{network.id}</code>],
    [
      t`Ports`,
      <ul key="ports" className="vm-plain-list">
        {instance.vnfcs.flatMap((vnfc) =>
          vnfc.ports
            .filter(({ networkId }) => networkId === network.id)
            .map((port) => <PortLine key={port.id} port={port} where={vnfc.name} />),
        )}
      </ul>,
    ],
  ];
}

function portFacts(port: Port, vnfc: Vnfc, network: InstanceNetwork | undefined): Fact[] {
  return [
    [t`Status`, <StateLabel key="status" look={portStatus(port.status)} />],
    ["VNFC", vnfc.name],
    [t`Network`, network?.name ?? port.networkId],
    [t`Addresses`, port.ipAddresses.join(", ") || DASH],
    ["MAC", <code key="mac">{port.macAddress || DASH}</code>],
    ["vNIC", port.vnicType || DASH],
    [t`Id`, <code key="id">{port.id}</code>],
    [t`Observed`, vnfc.observedAt ? <Ago key="seen" at={vnfc.observedAt} /> : DASH],
  ];
}

function partOf(instance: VnfInstance, id: string, alarmsOf: AlarmsOf): { title: string; facts: Fact[] } | undefined {
  for (const vnfc of instance.vnfcs) {
    if (vnfc.id === id) return { title: vnfc.name, facts: vnfcFacts(instance, vnfc, alarmsOf(id)) };
    const port = vnfc.ports.find((each) => each.id === id);
    const network = instance.networks.find((each) => each.id === port?.networkId);
    if (port) return { title: t`Port ${port.cpId || port.id}`, facts: portFacts(port, vnfc, network) };
  }
  const network = instance.networks.find((each) => each.id === id);
  return network && { title: t`Network ${network.name}`, facts: networkFacts(instance, network) };
}

interface Props {
  instance: VnfInstance;
  id: string;
  alarmsOf: AlarmsOf;
}

export function PartFacts({ instance, id, alarmsOf }: Props) {
  const part = id === "" ? undefined : partOf(instance, id, alarmsOf);
  return (
    <div aria-live="polite">
      {part && (
        <Panel title={part.title}>
          <Facts facts={part.facts} />
        </Panel>
      )}
    </div>
  );
}
