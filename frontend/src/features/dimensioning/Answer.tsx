import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import {
  Alert,
  Button,
  Label,
  Progress,
  ProgressMeasureLocation,
  ProgressVariant,
  type AlertProps,
} from "@patternfly/react-core";
import { useEffect, useRef, type ReactNode } from "react";
import type { DimensioningAnswer, DimensionRow, DimensioningFit, Vnfd } from "@/api/types";
import { pb } from "@/paths";
import { Facts, type Fact } from "@/ui/Facts";
import { memory, number } from "@/ui/format";
import { LinkButton } from "@/ui/LinkButton";
import { Panel } from "@/ui/Panel";
import { PlainTable } from "@/ui/PlainTable";
import { Sentences } from "@/ui/Sentences";
import { amountText } from "./amountText";
import { FigureTable } from "./FigureTable";

const VERDICTS: Record<DimensioningFit, { variant: AlertProps["variant"]; words: string }> = {
  FITS: { variant: "success", words: t`Fits` },
  NOT_KNOWN: { variant: "warning", words: t`Not measured` },
  DOES_NOT_FIT: { variant: "danger", words: t`Does not fit in one instance` },
};
const NEARLY_FULL = 0.9;

function Bar({ row, figure }: { row: DimensionRow; figure: string }) {
  const used = row.used ?? 1;
  const variant =
    used > 1 || row.used === null ? ProgressVariant.danger : used > NEARLY_FULL ? ProgressVariant.warning : undefined;
  const words = [
    t`${number(row.demand.value)} of ${amountText(row.capacity.value, row.capacity.unit)}`,
    ...(row.headroom === null ? [] : [t`headroom ${Math.round(row.headroom * 100)}%`]),
  ].join(", ");
  return (
    <li>
      <Progress
        title={row.label}
        value={Math.min(100, used * 100)}
        label={words}
        valueText={words}
        measureLocation={ProgressMeasureLocation.top}
        size="sm"
        {...(variant ? { variant } : {})}
      />
      <p className="vm-quiet">
        {row.binds && (
          <Label isCompact color="blue">
            <Trans>Limiting</Trans>
          </Label>
        )}{" "}
        {[figure, row.unitsNeeded === null ? "" : t`${row.unitsNeeded} for this dimension alone`, row.note]
          .filter(Boolean)
          .join(" · ")}
      </p>
    </li>
  );
}

function levelText(answer: DimensioningAnswer): ReactNode {
  const scale = Object.entries(answer.scaleLevels)
    .map(([aspect, level]) => `${aspect} ${level}`)
    .join(", ");
  if (answer.verdict === "DOES_NOT_FIT") return "—";
  if (answer.levelIsExact) return answer.instantiationLevelId;
  const larger = answer.instantiationLevelId;
  return larger
    ? t`${scale} (the smallest sufficient level is ${larger})`
    : t`${scale} (no instantiation level is large enough)`;
}

const resultText = (atMost: boolean, { value, unit }: { value: number; unit: string }): string =>
  atMost ? t`at most ${amountText(value, unit)}` : amountText(value, unit);

function Size({ answer }: { answer: DimensioningAnswer }) {
  const { totals } = answer;
  const facts: Fact[] = [
    [t`Deployment flavour`, answer.flavourId],
    [t`Instantiation level`, levelText(answer)],
    ...answer.counted.map((each): Fact => [each.name, each.number]),
    ["VMs", totals.vms],
    [t`Cores, as measured`, totals.cores === null ? t`unknown` : number(totals.cores)],
    [t`vCPUs, as in the package`, totals.vcpus],
    [t`Memory, as in the package`, memory(totals.memoryMib)],
    ...answer.results.map((each): Fact => [
      each.name,
      each.value ? resultText(each.atMost, each.value) : t`unknown: not measured under these conditions`,
    ]),
  ];
  return (
    <Panel title={t`Size`}>
      <Facts facts={facts} />
      <PlainTable
        label={t`VMs by VDU`}
        head={[t`VDU`, t`VMs`, t`Cores per VM, as measured`, t`vCPUs per VM`, t`Memory per VM`]}
        rows={answer.vdus.map((vdu) => ({
          key: vdu.vduId,
          cells: [vdu.name, vdu.vms, vdu.coresEach ?? t`unknown`, vdu.vcpusEach, memory(vdu.memoryMibEach)],
        }))}
      />
    </Panel>
  );
}

/** `scale` is set if no instantiation level has this size. */
interface FoundSize {
  flavourId: string;
  levelId: string;
  scale: Record<string, number>;
}
const sizeOf = ({ flavourId, instantiationLevelId, levelIsExact, scaleLevels }: DimensioningAnswer): FoundSize => ({
  ...{ flavourId, levelId: instantiationLevelId },
  scale: levelIsExact ? {} : scaleLevels,
});

function wizardOf(vnfd: Vnfd, { flavourId, levelId, scale }: FoundSize): string {
  const levels = Object.entries(scale).map(([aspect, level]) => `${aspect}:${level}`);
  return pb.instantiateAs(vnfd.vnfdId, flavourId, levelId, levels.join(","));
}

interface Props {
  vnfd: Vnfd;
  answer: DimensioningAnswer;
  /** The wizard takes the size at once; on other pages "Use this size" opens the wizard. */
  onTake?: (size: FoundSize) => void;
}

export function Answer({ vnfd, answer, onTake }: Props) {
  const verdict = useRef<HTMLDivElement>(null);
  // The form may fill the window, so the answer takes the focus and scrolls into view.
  useEffect(() => verdict.current?.focus(), [answer]);
  const { variant, words } = VERDICTS[answer.verdict];
  const names = Object.fromEntries(answer.figures.map((figure) => [figure.id, figure.name]));
  const units = answer.counted[0];
  const title = [
    words,
    [units && `${units.number} ${units.name}`, plural(answer.totals.vms, { one: "# VM", other: "# VMs" })]
      .filter(Boolean)
      .join(", "),
  ];
  return (
    <div className="vm-stack" role="region" aria-label={t`Result`}>
      <div tabIndex={-1} ref={verdict}>
        <Alert isInline variant={variant} component="h2" role="status" title={title.join(": ")}>
          {answer.reasons.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
          {answer.verdict !== "DOES_NOT_FIT" && (
            <p className="vm-next">
              {onTake ? (
                <Button onClick={() => onTake(sizeOf(answer))}>
                  <Trans>Use this size</Trans>
                </Button>
              ) : (
                <LinkButton to={wizardOf(vnfd, sizeOf(answer))}>
                  <Trans>Use this size</Trans>
                </LinkButton>
              )}
            </p>
          )}
        </Alert>
      </div>
      {answer.dimensions.length > 0 && (
        <Panel title={t`Headroom`} count={answer.dimensions.length}>
          <ul className="vm-bars" aria-label={t`Headroom by dimension`}>
            {answer.dimensions.map((row) => (
              <Bar key={row.dimension + row.figureId} row={row} figure={names[row.figureId] ?? row.figureId} />
            ))}
          </ul>
        </Panel>
      )}
      <Size answer={answer} />
      <Sentences title={t`Warnings`} sentences={answer.warnings} />
      <Sentences title={t`Not known`} sentences={answer.unknown} />
      {answer.figures.length > 0 && (
        <Panel title={t`Figures used`} count={answer.figures.length}>
          <FigureTable label={t`Figures used`} figures={answer.figures} />
        </Panel>
      )}
    </div>
  );
}
