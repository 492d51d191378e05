import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import type { Overview } from "@/api/frame";
import LineChart from "@/ui/LineChart";
import type { Line } from "@/ui/chartDrawing";
import type { SEVERITY } from "@/ui/states";

type Hours = Overview["hours"];
const LINES = [
  [t`Critical`, ["CRITICAL"], "red"],
  [t`Major`, ["MAJOR"], "orangered"],
  [t`Others`, ["MINOR", "WARNING", "INDETERMINATE"], "grey"],
] as const satisfies readonly (readonly [string, readonly (keyof typeof SEVERITY)[], NonNullable<Line["tone"]>])[];

const raised = (counts: Hours[number]["counts"], severities: readonly string[]): number =>
  severities.reduce((total, severity) => total + (counts[severity] ?? 0), 0);

export default function AlarmHours({ hours }: { hours: Hours }) {
  const lines = LINES.map(([name, severities, tone]) => ({
    ...{ name, tone },
    values: hours.map(({ counts }) => raised(counts, severities)),
  }));
  const total = lines.flatMap(({ values }) => values).reduce((a, b) => a + b, 0);
  if (total === 0)
    return (
      <p className="vm-quiet">
        <Trans>No alarm was raised.</Trans>
      </p>
    );
  return (
    <>
      <p>
        <Plural value={total} one="# alarm raised." other="# alarms raised." />
      </p>
      <LineChart
        isTally
        label={t`Alarms raised per hour`}
        unit=""
        at={hours.map(({ begins }) => begins)}
        lines={lines}
      />
    </>
  );
}
