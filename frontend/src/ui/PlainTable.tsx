import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import type { ReactNode } from "react";
import { Table } from "./Table";

interface Props {
  label: string;
  head: string[];
  rows: { key: string; cells: ReactNode[] }[];
}

export function PlainTable({ label, head, rows }: Props) {
  return (
    <Table aria-label={label}>
      <Thead>
        <Tr>
          {head.map((title) => (
            <Th key={title}>{title}</Th>
          ))}
        </Tr>
      </Thead>
      <Tbody>
        {rows.map(({ key, cells }) => (
          <Tr key={key}>
            {cells.map((cell, index) => (
              <Td key={head[index]} dataLabel={head[index]}>
                {cell}
              </Td>
            ))}
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
