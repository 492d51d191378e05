import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Checkbox } from "@patternfly/react-core";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import type { Vnfc } from "@/api/types";
import { VnfcStatus } from "@/ui/VnfcStatus";
import { Table } from "@/ui/Table";

interface Props {
  label: string;
  /** Labels the box of a VNFC: "Heal Slot 2 (Data path VM)". */
  actionLabel: (name: string) => string;
  vnfcs: readonly Vnfc[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  /** Both VNFCs of a pair are chosen together. */
  inPairs?: boolean;
}

/** In a pair (1+1) both VNFCs are created and deleted together. */
const mateOf = (vnfc: Vnfc, vnfcs: readonly Vnfc[]): Vnfc | undefined =>
  vnfcs.find((each) => each.vduId === vnfc.vduId && vnfc.mateSlot !== "" && each.slot === vnfc.mateSlot);

export function VnfcPicker({ label, actionLabel, vnfcs, chosen, onChange, inPairs = false }: Props) {
  // Only administrators see hosts in OpenStack.
  const hosted = vnfcs.some(({ host }) => host);
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
          <Th screenReaderText={t`Selected`} />
          <Th>
            <Trans>VNFC</Trans>
          </Th>
          {paired && (
            <Th>
              <Trans>Pair</Trans>
            </Th>
          )}
          <Th>
            <Trans>Server</Trans>
          </Th>
          <Th modifier="nowrap">
            <Trans>Observed status</Trans>
          </Th>
          {hosted && (
            <Th>
              <Trans>Host</Trans>
            </Th>
          )}
        </Tr>
      </Thead>
      <Tbody>
        {vnfcs.map((vnfc) => (
          <Tr key={vnfc.id}>
            <Td dataLabel={t`Selected`}>
              <Checkbox
                id={`pick-${vnfc.id}`}
                aria-label={actionLabel(vnfc.title)}
                isChecked={chosen.has(vnfc.id)}
                onChange={(_event, on) => toggle(vnfc, on)}
              />
            </Td>
            <Td dataLabel={t`VNFC`}>
              <label htmlFor={`pick-${vnfc.id}`}>{vnfc.title}</label>
            </Td>
            {paired && (
              <Td dataLabel={t`Pair`}>
                {vnfc.mateSlot ? (
                  t`with slot ${vnfc.mateSlot}`
                ) : (
                  <span className="vm-quiet">
                    <Trans>none</Trans>
                  </span>
                )}
              </Td>
            )}
            <Td dataLabel={t`Server`}>{vnfc.name}</Td>
            <Td dataLabel={t`Observed status`}>
              <VnfcStatus vnfc={vnfc} />
            </Td>
            {hosted && <Td dataLabel={t`Host`}>{vnfc.host || "—"}</Td>}
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
