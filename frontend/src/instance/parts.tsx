import { ExpandableRowContent, Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { OpOccSummary, VnfInstance, Vnfc } from "@/api/types";
import { pb } from "@/paths";
import { DataTable, type Column } from "@/table/DataTable";
import { Facts, type Fact } from "@/ui/Facts";
import { Panel } from "@/ui/Panel";
import { lookOf, operationText, OPERATION_STATE } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago, Elapsed } from "@/ui/Time";
import { Table } from "@/ui/Table";
import { StatusCell } from "./StatusCell";

const DASH = <span className="vm-quiet">—</span>;

function Ports({ vnfc, networks }: { vnfc: Vnfc; networks: VnfInstance["networks"] }) {
  return (
    <Table aria-label={`Ports of ${vnfc.name}`} borders={false} isNested>
      <Thead>
        <Tr>
          <Th modifier="nowrap">Connection point</Th>
          <Th>Network</Th>
          <Th>Addresses</Th>
          <Th>MAC</Th>
          <Th>vNIC</Th>
          <Th>Status</Th>
        </Tr>
      </Thead>
      <Tbody>
        {vnfc.ports.map((port) => (
          <Tr key={port.id}>
            <Td dataLabel="Connection point">{port.cpId || DASH}</Td>
            <Td dataLabel="Network">{networks.find((each) => each.id === port.networkId)?.name ?? port.networkId}</Td>
            <Td dataLabel="Addresses">{port.ipAddresses.join(", ") || DASH}</Td>
            <Td dataLabel="MAC">
              <code>{port.macAddress || "—"}</code>
            </Td>
            <Td dataLabel="vNIC">{port.vnicType || DASH}</Td>
            <Td dataLabel="Status">{port.status}</Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}

function VnfcRows({ vnfc, index, networks }: { vnfc: Vnfc; index: number; networks: VnfInstance["networks"] }) {
  const [open, setOpen] = useState(false);
  return (
    <Tbody isExpanded={open}>
      <Tr>
        <Td
          expand={{
            rowIndex: index,
            isExpanded: open,
            onToggle: () => setOpen(!open),
            expandId: `ports-${vnfc.id}`,
          }}
        />
        <Td dataLabel="Slot">
          <strong className="vm-slot">{vnfc.slot || "—"}</strong>
        </Td>
        <Td dataLabel="VNFC">
          <strong>{vnfc.name}</strong>
        </Td>
        <Td dataLabel="VDU">{vnfc.vduId}</Td>
        <Td dataLabel="Observed status">
          <StatusCell vnfc={vnfc} />
        </Td>
        <Td dataLabel="Host">{vnfc.host || DASH}</Td>
        <Td dataLabel="Flavor">{vnfc.flavor || DASH}</Td>
        <Td dataLabel="Addresses">{vnfc.ports.flatMap((port) => port.ipAddresses)[0] ?? DASH}</Td>
        <Td dataLabel="Seen">{vnfc.observedAt ? <Ago at={vnfc.observedAt} /> : DASH}</Td>
      </Tr>
      <Tr isExpanded={open}>
        <Td colSpan={9}>
          <ExpandableRowContent>
            <Ports vnfc={vnfc} networks={networks} />
          </ExpandableRowContent>
        </Td>
      </Tr>
    </Tbody>
  );
}

export function Vnfcs({ instance }: { instance: VnfInstance }) {
  return (
    <Panel title="VNFCs" count={instance.vnfcs.length}>
      {instance.vnfcs.length === 0 ? (
        <p className="vm-quiet">There are none while the instance is not instantiated.</p>
      ) : (
        <Table aria-label="VNFCs" isExpandable>
          <Thead>
            <Tr>
              <Th screenReaderText="Ports" />
              <Th>Slot</Th>
              <Th>VNFC</Th>
              <Th>VDU</Th>
              <Th modifier="nowrap">Observed status</Th>
              <Th>Host</Th>
              <Th>Flavor</Th>
              <Th>Addresses</Th>
              <Th>Seen</Th>
            </Tr>
          </Thead>
          {instance.vnfcs.map((vnfc, index) => (
            <VnfcRows key={vnfc.id} vnfc={vnfc} index={index} networks={instance.networks} />
          ))}
        </Table>
      )}
    </Panel>
  );
}

export function Networks({ instance }: { instance: VnfInstance }) {
  if (instance.networks.length === 0) return null;
  return (
    <Panel title="Networks" count={instance.networks.length}>
      <Table aria-label="Networks">
        <Thead>
          <Tr>
            <Th>Network</Th>
            <Th>Virtual link</Th>
            <Th>Made by</Th>
            <Th>Ports</Th>
          </Tr>
        </Thead>
        <Tbody>
          {instance.networks.map((network) => (
            <Tr key={network.id}>
              <Th scope="row" dataLabel="Network">
                {network.name}
              </Th>
              <Td dataLabel="Virtual link">{network.vlId || DASH}</Td>
              <Td dataLabel="Made by">{network.external ? "existed before" : "the stack"}</Td>
              <Td dataLabel="Ports">
                {instance.vnfcs.flatMap((vnfc) => vnfc.ports).filter((port) => port.networkId === network.id).length}
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </Panel>
  );
}

export function Stack({ instance }: { instance: VnfInstance }) {
  const { stack } = instance;
  if (!stack) return null;
  const facts: Fact[] = [
    ["Name", <code key="name">{stack.name}</code>],
    ["Id", <code key="id">{stack.id}</code>],
    ["Status", `${stack.status}${stack.statusReason ? `: ${stack.statusReason}` : ""}`],
    ["Seen", stack.observedAt ? <Ago key="seen" at={stack.observedAt} /> : "—"],
  ];
  return (
    <Panel title="Heat stack">
      <Facts facts={facts} />
    </Panel>
  );
}

const OPERATION_COLUMNS: Column<OpOccSummary>[] = [
  {
    title: "Operation",
    isName: true,
    cell: (occ) => <Link to={pb.operation(occ.vnfInstanceId, occ.id)}>{operationText(occ)}</Link>,
    sort: (occ) => occ.operation,
  },
  {
    title: "State",
    cell: (occ) => <StateLabel look={lookOf(OPERATION_STATE, occ.operationState)} />,
    sort: (occ) => occ.operationState,
  },
  { title: "Started", cell: (occ) => <Ago at={occ.startTime} />, sort: (occ) => occ.startTime },
  {
    title: "Took",
    cell: (occ) => {
      const moving = lookOf(OPERATION_STATE, occ.operationState).moving;
      return <Elapsed from={occ.startTime} to={moving ? undefined : occ.stateEnteredTime} />;
    },
  },
  { title: "Outcome", cell: (occ) => occ.error?.detail ?? DASH, width: 40 },
];

export function Operations({ instance }: { instance: VnfInstance }) {
  const { data: occs } = useSuspenseQuery(q.opOccsOf(instance.id));
  return (
    <Panel title="LCM operations" count={occs.length}>
      {occs.length === 0 ? (
        <p className="vm-quiet">Nothing has been asked of this instance yet.</p>
      ) : (
        <DataTable
          label="LCM operations"
          rows={occs}
          columns={OPERATION_COLUMNS}
          rowKey={(occ) => occ.id}
          initialSort={{ column: 2, direction: "desc" }}
        />
      )}
    </Panel>
  );
}
