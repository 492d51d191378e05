import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { FormSelect, FormSelectOption, Toolbar, ToolbarContent, ToolbarItem } from "@patternfly/react-core";
import ChartLineIcon from "@patternfly/react-icons/dist/esm/icons/chart-line-icon";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { q } from "@/api/queries";
import type { CounterSeries, NetworkElement } from "@/api/types";
import { AddToBoard } from "@/features/performance/AddToBoard";
import { ofElement } from "@/features/performance/boardSeries";
import { counterText, objectText, SYSTEM } from "@/features/performance/counters";
import { seriesText } from "@/features/performance/series";
import { SetThreshold } from "@/features/performance/SetThreshold";
import { ThresholdRules } from "@/features/performance/ThresholdRules";
import { useThresholds } from "@/features/performance/thresholds";
import { DataTable, type Column } from "@/table/DataTable";
import { useAddress } from "@/ui/address";
import { Empty } from "@/ui/Empty";
import { valueWithUnit } from "@/ui/chartValues";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { ExactTime } from "@/ui/Time";

const LineChart = lazy(() => import("@/ui/LineChart"));

type Chart = readonly [title: string, names: readonly string[]];
const OF_ELEMENT: readonly Chart[] = [[t`Load`, ["cpu", "memory"]]];
const OF_INTERFACE: readonly Chart[] = [
  [t`Utilisation`, ["utilisationIn", "utilisationOut"]],
  [t`Traffic`, ["octetsIn", "octetsOut"]],
  [t`Packets`, ["packetsIn", "packetsOut"]],
  [t`Errors and discards`, ["errorsIn", "errorsOut", "discardsIn", "discardsOut"]],
];
const PERIODS = [
  ["1", t`Last hour`],
  ["24", t`Last 24 hours`],
  ["168", t`Last 7 days`],
] as const;
const [[USUAL_HOURS]] = PERIODS;

type Point = CounterSeries["points"][number];

function Table({ series, names }: { series: CounterSeries; names: readonly string[] }) {
  const columns: Column<Point>[] = [
    { title: t`From`, isName: true, sort: ({ at }) => at, cell: ({ at }) => <ExactTime at={at} /> },
    ...names.map((name): Column<Point> => ({
      title: counterText(name),
      cell: ({ values }) => {
        const value = values[name];
        return value === null || value === undefined ? t`unknown` : valueWithUnit(value, series.units[name] ?? "");
      },
    })),
  ];
  return (
    <DataTable
      label={t`Counters as a table`}
      name="counted"
      rows={series.points}
      columns={columns}
      rowKey={({ at }) => at}
      initialSort={{ column: 0, direction: "desc" }}
    />
  );
}

function Charts({ element, series }: { element: NetworkElement; series: CounterSeries }) {
  const at = series.points.map((point) => point.at);
  const wanted = series.object === SYSTEM ? OF_ELEMENT : OF_INTERFACE;
  const names = wanted.flatMap(([, each]) => each);
  const seriesOf = (counter: string) => ({ elementId: element.id, object: series.object, counter });
  const countedOf = (counter: string) => ({
    ...seriesOf(counter),
    name: seriesText(seriesOf(counter), element.name),
    last: series.points.findLast(({ values }) => typeof values[counter] === "number")?.values[counter],
  });
  const thresholds = useThresholds(names.map((name) => ({ ...seriesOf(name), name: counterText(name) })));
  return (
    <>
      <div className="vm-columns">
        <Suspense
          fallback={
            <LoadingNote>
              <Trans>Drawing…</Trans>
            </LoadingNote>
          }
        >
          {wanted.map(([title, each]) => (
            <Panel
              key={title}
              title={title}
              actions={
                <>
                  <SetThreshold name={title} counted={each.map(countedOf)} elements={[element]} />
                  <AddToBoard
                    name={title}
                    title={[element.name, ...(series.object === SYSTEM ? [] : [series.object]), title].join(" · ")}
                    series={each.map((counter) => ofElement(seriesOf(counter)))}
                  />
                </>
              }
            >
              <LineChart
                label={title}
                unit={series.units[each[0] ?? ""] ?? ""}
                at={at}
                lines={each.map((name) => ({
                  name: counterText(name),
                  values: series.points.map(({ values }) => values[name] ?? null),
                }))}
                thresholds={each.flatMap((name) => thresholds[names.indexOf(name)] ?? [])}
              />
            </Panel>
          ))}
        </Suspense>
      </div>
      <ThresholdRules counted={names.map(countedOf)} elements={[element]} />
      <Panel title={t`Show as a table`} count={series.points.length}>
        <Table series={series} names={names} />
      </Panel>
    </>
  );
}

export function CountersTab({ element }: { element: NetworkElement }) {
  const { data: objects, error } = useQuery(q.countedObjects(element.id));
  const [params, setAddress] = useAddress();
  const object = params.get("object") ?? SYSTEM;
  const hours = PERIODS.find(([value]) => value === params.get("hours"))?.[0] ?? USUAL_HOURS;
  const { data: series, error: failed } = useQuery(q.counters(element.id, object, Number(hours)));
  if (error && !objects) return <ProblemAlert error={error} level="h2" />;
  if (!objects)
    return (
      <LoadingNote>
        <Trans>Loading the counters…</Trans>
      </LoadingNote>
    );
  if (objects.length === 0) {
    return (
      <Empty title={t`No recent counters`} icon={ChartLineIcon}>
        <Trans>Counters are read with each poll of a managed element; rates need two polls.</Trans>
      </Empty>
    );
  }
  return (
    <div className="vm-stack">
      <Toolbar className="vm-toolbar" aria-label={t`Counters: filters`}>
        <ToolbarContent>
          <ToolbarItem>
            <FormSelect
              aria-label={t`Object`}
              value={object}
              onChange={(_event, value) => setAddress({ object: value === SYSTEM ? "" : value })}
            >
              {[...new Set([SYSTEM, object, ...objects])].map((name) => (
                <FormSelectOption key={name} value={name} label={objectText(name)} />
              ))}
            </FormSelect>
          </ToolbarItem>
          <ToolbarItem>
            <FormSelect
              aria-label={t`Period`}
              value={hours}
              onChange={(_event, value) => setAddress({ hours: value === USUAL_HOURS ? "" : value })}
            >
              {PERIODS.map(([value, text]) => (
                <FormSelectOption key={value} value={value} label={text} />
              ))}
            </FormSelect>
          </ToolbarItem>
        </ToolbarContent>
      </Toolbar>
      {failed && !series && <ProblemAlert error={failed} level="h2" />}
      {!failed && !series && (
        <LoadingNote>
          <Trans>Loading the counters…</Trans>
        </LoadingNote>
      )}
      {series && <Charts element={element} series={series} />}
    </div>
  );
}
