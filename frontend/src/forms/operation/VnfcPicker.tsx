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
  /** Whether the two of a pair are chosen together. */
  inPairs?: boolean;
}

/** The one that comes and goes with it, where VNFCs are pairs (1+1). */
const mateOf = (vnfc: Vnfc, vnfcs: readonly Vnfc[]): Vnfc | undefined =>
  vnfcs.find((each) => each.vduId === vnfc.vduId && vnfc.mateSlot !== "" && each.slot === vnfc.mateSlot);

/** VNFCs with their observed state, each with a box to choose it. */
export function VnfcPicker({ label, verb, vnfcs, chosen, onChange, inPairs = false }: Props) {
  const paired = inPairs && vnfcs.some((vnfc) => mateOf(vnfc, vnfcs));
  const toggle = (vnfc: Vnfc, on: boolean) => {
    const next = new Set(chosen);
    for (const each of [vnfc, inPairs ? mateOf(vnfc, vnfcs) : undefined]) {
      if (each && on) next.add(each.id);
      else if (each) next.delete(each.id);
    }
    onChange(next);
  };
  return (
    <Table aria-label={label} className="vm-picker">
      <Thead>
        <Tr>
          <Th screenReaderText="Chosen" />
          <Th>Slot</Th>
          {paired && <Th>Pair</Th>}
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
                onChange={(_event, on) => toggle(vnfc, on)}
              />
            </Td>
            <Td dataLabel="Slot">
              <strong className="vm-slot">{vnfc.slot || "—"}</strong>
            </Td>
            {paired && (
              <Td dataLabel="Pair">
                {vnfc.mateSlot ? `with slot ${vnfc.mateSlot}` : <span className="vm-quiet">none</span>}
              </Td>
            )}
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
