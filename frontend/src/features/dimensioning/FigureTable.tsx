import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import type { Figure } from "@/api/types";
import { number } from "@/ui/format";
import { Table } from "@/ui/Table";

/** What a figure was measured with, in one line. */
function conditionsText({ conditions }: Figure): string {
  const { frame, frameAtLeast, imix, at, notes } = conditions;
  const parts = [
    frame === null ? "" : t`${frame} bytes`,
    frameAtLeast === null ? "" : t`${frameAtLeast} bytes and more`,
    imix ? "IMIX" : "",
    ...Object.values(at).map(({ value, unit }) => `${number(value)} × ${unit}`),
    ...notes,
  ];
  return parts.filter(Boolean).join("; ") || "—";
}

const MEANING: Record<Figure["meaning"], string> = { value: "", maximum: t`at most`, tested: t`tested with` };

/** Figures with their conditions, the source's own words and where these stand. */
export function FigureTable({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <Table aria-label={label}>
      <Thead>
        <Tr>
          <Th>
            <Trans>Figure</Trans>
          </Th>
          <Th>
            <Trans>Value</Trans>
          </Th>
          <Th>
            <Trans>Conditions</Trans>
          </Th>
          <Th>
            <Trans>Source</Trans>
          </Th>
        </Tr>
      </Thead>
      <Tbody>
        {figures.map((figure) => (
          <Tr key={figure.id}>
            <Td dataLabel={t`Figure`}>
              {figure.name}
              {figure.caveats.map((caveat) => (
                <p key={caveat} className="vm-quiet">
                  {caveat}
                </p>
              ))}
            </Td>
            <Td dataLabel={t`Value`}>
              <span className="vm-quiet">{MEANING[figure.meaning]}</span> {number(figure.value)} {figure.unit}
              {figure.derived && <p className="vm-quiet">{figure.derived}</p>}
            </Td>
            <Td dataLabel={t`Conditions`}>{conditionsText(figure)}</Td>
            <Td dataLabel={t`Source`}>
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
