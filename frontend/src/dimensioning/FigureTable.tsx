import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import type { Figure } from "@/api/types";
import { number } from "@/ui/format";
import { Table } from "@/ui/Table";

/** What a figure was measured with, in one line. */
function conditionsText({ conditions }: Figure): string {
  const { frame, frameAtLeast, imix, at, notes } = conditions;
  const parts = [
    frame === null ? "" : `${frame} bytes`,
    frameAtLeast === null ? "" : `${frameAtLeast} bytes and more`,
    imix ? "IMIX" : "",
    ...Object.values(at).map(({ value, unit }) => `${number(value)} × ${unit}`),
    ...notes,
  ];
  return parts.filter(Boolean).join("; ") || "—";
}

const MEANING: Record<Figure["meaning"], string> = { value: "", maximum: "at most", tested: "tested with" };

/** Figures with their conditions, the source's own words and where these stand. */
export function FigureTable({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <Table aria-label={label}>
      <Thead>
        <Tr>
          <Th>Figure</Th>
          <Th>Value</Th>
          <Th>Conditions</Th>
          <Th>Source</Th>
        </Tr>
      </Thead>
      <Tbody>
        {figures.map((figure) => (
          <Tr key={figure.id}>
            <Td dataLabel="Figure">
              {figure.name}
              {figure.caveats.map((caveat) => (
                <p key={caveat} className="vm-quiet">
                  {caveat}
                </p>
              ))}
            </Td>
            <Td dataLabel="Value">
              <span className="vm-quiet">{MEANING[figure.meaning]}</span> {number(figure.value)} {figure.unit}
              {figure.derived && <p className="vm-quiet">{figure.derived}</p>}
            </Td>
            <Td dataLabel="Conditions">{conditionsText(figure)}</Td>
            <Td dataLabel="Source">
              <q>{figure.quote}</q>
              <p className="vm-quiet">
                {figure.source.title}, {figure.source.place}
                {figure.source.seed && (
                  <>
                    {" "}
                    (<code>{figure.source.seed}</code>)
                  </>
                )}
              </p>
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
