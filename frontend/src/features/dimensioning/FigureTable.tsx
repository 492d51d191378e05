import { t } from "@lingui/core/macro";
import type { Figure } from "@/api/types";
import { PlainTable } from "@/ui/PlainTable";
import { amountText } from "./amountText";

function conditionsText({ conditions }: Figure): string {
  const { frame, frameAtLeast, imix, at, notes } = conditions;
  const parts = [
    frame === null ? "" : t`${frame} bytes`,
    frameAtLeast === null ? "" : t`${frameAtLeast} bytes and more`,
    imix ? "IMIX" : "",
    ...Object.values(at).map(({ value, unit }) => amountText(value, unit)),
    ...notes,
  ];
  return parts.filter(Boolean).join("; ") || "—";
}

const MEANING: Record<Figure["meaning"], string> = { value: "", maximum: t`at most`, tested: t`tested with` };

/** Each figure quotes its source; the sources are numbered below the table. */
export function FigureTable({ label, figures }: { label: string; figures: readonly Figure[] }) {
  const sources = [...new Set(figures.map(({ source }) => source.title))];
  return (
    <>
      <Figures label={label} figures={figures} sources={sources} />
      <ol className="vm-sources" aria-label={t`Sources`}>
        {sources.map((title) => (
          <li key={title}>{title}</li>
        ))}
      </ol>
    </>
  );
}

interface FiguresProps {
  label: string;
  figures: readonly Figure[];
  sources: readonly string[];
}

function Figures({ label, figures, sources }: FiguresProps) {
  return (
    <PlainTable
      label={label}
      head={[t`Figure`, t`Value`, t`Conditions`, t`Source`]}
      rows={figures.map((figure) => ({
        key: figure.id,
        cells: [
          <>
            {figure.name}
            {figure.caveats.map((caveat) => (
              <p key={caveat} className="vm-quiet">
                {caveat}
              </p>
            ))}
          </>,
          <>
            <span className="vm-quiet">{MEANING[figure.meaning]}</span> {amountText(figure.value, figure.unit)}
            {figure.derived && <p className="vm-quiet">{figure.derived}</p>}
          </>,
          conditionsText(figure),
          <>
            <q>{figure.quote}</q>{" "}
            <span className="vm-quiet" title={figure.source.title}>
              [{sources.indexOf(figure.source.title) + 1}], {figure.source.place}
            </span>
          </>,
        ],
      }))}
    />
  );
}
