import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Label, LabelGroup } from "@patternfly/react-core";
import DownloadIcon from "@patternfly/react-icons/dist/esm/icons/download-icon";
import { useQueries } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { q } from "@/api/queries";
import type { CounterSeries, NetworkElement } from "@/api/types";
import { DataTable, type Column } from "@/table/DataTable";
import type { Threshold } from "@/ui/chartDrawing";
import { csvOf } from "@/ui/csv";
import { valueWithUnit } from "@/ui/chartValues";
import { download } from "@/ui/download";
import { exactTime } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { useIsUtc } from "@/ui/zone";
import { AddToBoard } from "./AddToBoard";
import { ofElement } from "./boardSeries";
import { SetThreshold } from "./SetThreshold";
import { seriesKey, seriesText, type Chosen, type Series } from "./series";
import { useThresholds } from "./thresholds";

const LineChart = lazy(() => import("@/ui/LineChart"));

const TITLES: Record<string, string> = {
  "%": t`Utilisation and load`,
  "octet/s": t`Traffic`,
  "packet/s": t`Packets`,
};

interface Read {
  key: string;
  series: Series;
  name: string;
  /** A series looks the same in all charts. */
  look: number;
  unit: string;
  values: ReadonlyMap<string, number | null>;
  thresholds: readonly Threshold[];
}
interface Row {
  at: string;
  values: (number | null)[];
}

const isoTime = (at: string): string => new Date(at).toISOString();

function readOf(
  series: Series,
  name: string,
  look: number,
  data: CounterSeries,
  thresholds: readonly Threshold[],
): Read {
  const values = new Map(data.points.map((point) => [isoTime(point.at), point.values[series.counter] ?? null]));
  return { key: seriesKey(series), series, name, look, unit: data.units[series.counter] ?? "", values, thresholds };
}

/** The rows contain the times of all series; a value is null where it is unknown. */
export function rowsOf(read: readonly Pick<Read, "values">[]): Row[] {
  const times = [...new Set(read.flatMap(({ values }) => [...values.keys()]))].sort();
  return times.map((at) => ({ at, values: read.map(({ values }) => values.get(at) ?? null) }));
}

function useRead({ series, range }: Chosen) {
  const ids = [...new Set(series.map(({ elementId }) => elementId))];
  const elements = useQueries({ queries: ids.map((id) => q.element(id)) });
  const counted = useQueries({
    queries: series.map(({ elementId, object, counter }) =>
      q.counterSeries(elementId, object, counter, range.minutes, range.until),
    ),
  });
  const nameOf = (id: string) => elements[ids.indexOf(id)]?.data?.name ?? "…";
  const names = series.map((each) => seriesText(each, nameOf(each.elementId)));
  const thresholds = useThresholds(series.map((each, index) => ({ ...each, name: names[index] ?? "" })));
  const read = series.flatMap((each, index) => {
    const data = counted[index]?.data;
    return data ? [readOf(each, names[index] ?? "", index, data, thresholds[index] ?? [])] : [];
  });
  const failed = series.flatMap((each, index) => {
    const { data, error } = counted[index] ?? {};
    return error && !data ? [{ key: seriesKey(each), name: names[index] ?? "", error }] : [];
  });
  const known = elements.flatMap(({ data }) => data ?? []);
  return { names, read, failed, elements: known, waiting: counted.some(({ isPending }) => isPending) };
}

const lastOf = ({ values }: Read): number | null | undefined =>
  [...values.entries()].sort(([a], [b]) => a.localeCompare(b)).findLast(([, value]) => value !== null)?.[1];

function Charts({ read, elements }: { read: readonly Read[]; elements: readonly NetworkElement[] }) {
  const at = rowsOf(read).map((row) => row.at);
  return (
    <div className="vm-columns">
      <Suspense
        fallback={
          <LoadingNote>
            <Trans>Drawing…</Trans>
          </LoadingNote>
        }
      >
        {[...Map.groupBy(read, ({ unit }) => unit)].map(([unit, lines]) => (
          <Panel
            key={unit}
            title={TITLES[unit] ?? unit}
            level="h3"
            actions={
              <>
                <SetThreshold
                  name={TITLES[unit] ?? unit}
                  counted={lines.map((line) => ({ ...line.series, name: line.name, last: lastOf(line) }))}
                  elements={elements}
                />
                <AddToBoard name={TITLES[unit] ?? unit} series={lines.map(({ series }) => ofElement(series))} />
              </>
            }
          >
            <LineChart
              label={TITLES[unit] ?? unit}
              unit={unit}
              at={at}
              lines={lines.map(({ name, look, values }) => ({
                name,
                look,
                values: at.map((each) => values.get(each) ?? null),
              }))}
              thresholds={lines.flatMap(({ thresholds }) => thresholds)}
            />
          </Panel>
        ))}
      </Suspense>
    </div>
  );
}

function Values({ read }: { read: readonly Read[] }) {
  useIsUtc();
  const columns: Column<Row>[] = [
    { title: t`From`, isName: true, sort: ({ at }) => at, cell: ({ at }) => exactTime(at) },
    ...read.map(({ name, unit }, index): Column<Row> => ({
      title: name,
      cell: ({ values }) => {
        const value = values[index] ?? null;
        return value === null ? t`unknown` : valueWithUnit(value, unit);
      },
    })),
  ];
  return (
    <div className="vm-scroll">
      <DataTable
        label={t`Compared series`}
        name="compared"
        rows={rowsOf(read)}
        columns={columns}
        rowKey={({ at }) => at}
        initialSort={{ column: 0, direction: "desc" }}
      />
    </div>
  );
}

const csvText = (read: readonly Read[]): string =>
  csvOf([
    ["from", ...read.map(({ name, unit }) => `${name} (${unit})`)],
    ...rowsOf(read).map(({ at, values }) => [at, ...values]),
  ]);

/** Each unit has a chart of its own. */
export function CompareSeries({ chosen }: { chosen: Chosen }) {
  const { names, read, failed, elements, waiting } = useRead(chosen);
  if (chosen.series.length === 0)
    return (
      <p className="vm-quiet">
        <Trans>No series selected. Add one above, or from the list of the busiest.</Trans>
      </p>
    );
  return (
    <div className="vm-stack">
      <LabelGroup categoryName={t`Compared`} numLabels={names.length}>
        {chosen.series.map((each, index) => (
          <Label
            key={seriesKey(each)}
            variant="outline"
            onClose={() => chosen.remove(each)}
            closeBtnAriaLabel={t`Remove ${names[index] ?? ""}`}
          >
            {names[index]}
          </Label>
        ))}
      </LabelGroup>
      {failed.map(({ key, name, error }) => (
        <div key={key}>
          <p>
            <Trans>{name} could not be loaded.</Trans>
          </p>
          <ProblemAlert error={error} />
        </div>
      ))}
      {waiting && read.length === 0 && (
        <LoadingNote>
          <Trans>Loading the counters…</Trans>
        </LoadingNote>
      )}
      {read.length > 0 && (
        <>
          <Charts read={read} elements={elements} />
          <Panel
            title={t`Show as a table`}
            level="h3"
            actions={
              <Button
                variant="secondary"
                size="sm"
                icon={<DownloadIcon />}
                onClick={() => download("series.csv", csvText(read), "text/csv")}
              >
                <Trans>Series as CSV</Trans>
              </Button>
            }
          >
            <Values read={read} />
          </Panel>
        </>
      )}
    </div>
  );
}
