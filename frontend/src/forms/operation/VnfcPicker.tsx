import { Checkbox } from "@patternfly/react-core";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import type { Vnfc } from "@/api/types";
import { StatusCell } from "@/instance/StatusCell";
import { Table } from "@/ui/Table";

interface Props {
  label: string;
  /** What is done to a chosen one: the name of its box is "Heal edge-iom-2". */
  verb: string;
  vnfcs: readonly Vnfc[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** VNFCs with their observed state, each with a box to choose it. */
export function VnfcPicker({ label, verb, vnfcs, chosen, onChange }: Props) {
  const toggle = (id: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    onChange(next);
  };
  return (
    <Table aria-label={label} className="vm-picker">
      <Thead>
        <Tr>
          <Th screenReaderText="Chosen" />
          <Th>Slot</Th>
          <Th>VNFC</Th>
          <Th>VDU</Th>
          <Th modifier="nowrap">Observed status</Th>
          <Th>Host</Th>
        </Tr>
      </Thead>
      <Tbody>
        {vnfcs.map((vnfc) => (
          <Tr key={vnfc.id}>
            <Td dataLabel="Chosen">
              <Checkbox
                id={`pick-${vnfc.id}`}
                aria-label={`${verb} ${vnfc.name}`}
                isChecked={chosen.has(vnfc.id)}
                onChange={(_event, on) => toggle(vnfc.id, on)}
              />
            </Td>
            <Td dataLabel="Slot">
              <strong className="vm-slot">{vnfc.slot || "—"}</strong>
            </Td>
            <Td dataLabel="VNFC">
              <label htmlFor={`pick-${vnfc.id}`}>{vnfc.name}</label>
            </Td>
            <Td dataLabel="VDU">{vnfc.vduId}</Td>
            <Td dataLabel="Observed status">
              <StatusCell vnfc={vnfc} />
            </Td>
            <Td dataLabel="Host">{vnfc.host || "—"}</Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
