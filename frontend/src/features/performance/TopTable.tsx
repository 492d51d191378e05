import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { UseQueryResult } from "@tanstack/react-query";
import ChartLineIcon from "@patternfly/react-icons/dist/esm/icons/chart-line-icon";
import ExclamationTriangleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon";
import { useEffect, useMemo, useRef } from "react";
import { Link } from "react-router";
import type { Page } from "@/api/client";
import type { TopQuery, TopRow } from "@/api/types";
import { pb } from "@/paths";
import { ServerTable, type ServerColumn } from "@/table/ServerTable";
import type { ListView, Sort } from "@/ui/listView";
import { ExplainedButton } from "@/ui/ActionButton";
import { csvOf } from "@/ui/csv";
import { Empty } from "@/ui/Empty";
import { number } from "@/ui/format";
import { speedText } from "@/ui/speed";
import { Since } from "@/ui/Time";
import { whyNoMore } from "./AddSeries";
import { AddToBoard } from "./AddToBoard";
import { ofElement } from "./boardSeries";
import { SYSTEM } from "./counters";
import { seriesKey, type Chosen, type Series } from "./series";

export type Objects = NonNullable<NonNullable<TopQuery>["objects"]>;
export type Window = NonNullable<NonNullable<TopQuery>["window"]>;
type Period = readonly [Window, string, seconds: number];
/** The first window is the default. */
export const WINDOWS: readonly [Period, ...Period[]] = [
  ["15m", t`Last 15 minutes`, 900],
  ["1h", t`Last hour`, 3600],
  ["24h", t`Last 24 hours`, 86_400],
];
export const BUSIEST: Record<Objects, Sort> = {
  interfaces: { by: "utilisationIn", desc: true },
  elements: { by: "cpu", desc: true },
};

/** A measure of both directions leads to the chart of the incoming one. */
const COUNTER_OF: Record<string, string> = { errors: "errorsIn", discards: "discardsIn" };

/** A board gets both directions. */
const pairOf = (counter: string): string[] => [
  ...new Set([counter.replace(/Out$/, "In"), counter.replace(/In$/, "Out")]),
];

const BAR = 36;

/** An unknown percentage has no bar. */
function Busy({ percent }: { percent: number | null | undefined }) {
  if (percent === null || percent === undefined)
    return (
      <span className="vm-quiet">
        <Trans>unknown</Trans>
      </span>
    );
  return (
    <span className="vm-busy">
      <svg width={BAR} height="8" aria-hidden="true">
        <rect width={BAR} height="8" />
        <rect width={(Math.min(100, percent) / 100) * BAR} height="8" />
      </svg>
      <span className="vm-number vm-percent">{percent.toFixed(1)} %</span>
    </span>
  );
}

function Rate({ value, shown }: { value: number | null | undefined; shown: (value: number) => string }) {
  if (value === null || value === undefined)
    return (
      <span className="vm-quiet">
        <Trans>unknown</Trans>
      </span>
    );
  return <span className="vm-number vm-right">{shown(value)}</span>;
}
const traffic = (octets: number): string => speedText(Math.round(octets * 8));
const packets = (rate: number): string => `${number(Math.round(rate * 100) / 100)}/s`;

/** Says how much of the window has values, and since when there are none. */
function Counted({ row, seconds }: { row: TopRow; seconds: number }) {
  if (row.unknownSince) {
    return (
      <span className="vm-color-orange vm-node-state">
        <ExclamationTriangleIcon />{" "}
        <Trans>
          none since <Since at={row.unknownSince} />
        </Trans>
      </span>
    );
  }
  if (row.seconds === 0)
    return (
      <span className="vm-quiet">
        <Trans>never counted</Trans>
      </span>
    );
  return (
    <>
      <Trans>{Math.min(100, Math.round((row.seconds / seconds) * 100))} %</Trans>
    </>
  );
}

const percent = (title: string, by: string): ServerColumn<TopRow> => ({
  ...{ title, sortBy: by, descFirst: true },
  cell: ({ values }) => <Busy percent={values[by]} />,
});
const rate = (title: string, by: string, shown = packets): ServerColumn<TopRow> => ({
  ...{ title, sortBy: by, descFirst: true },
  cell: ({ values }) => <Rate value={values[by]} shown={shown} />,
});

const element: ServerColumn<TopRow> = {
  title: t`Element`,
  isName: true,
  width: 20,
  cell: ({ elementId, elementName, siteName }) => (
    <>
      <Link to={pb.element(elementId)}>{elementName}</Link>
      {siteName && <div className="vm-quiet vm-normal">{siteName}</div>}
    </>
  ),
};

const COLUMNS: Record<Objects, ServerColumn<TopRow>[]> = {
  interfaces: [
    element,
    {
      title: t`Interface`,
      cell: ({ elementId, object }) => <Link to={pb.counters(elementId, object)}>{object}</Link>,
    },
    percent(t`In`, "utilisationIn"),
    percent(t`Out`, "utilisationOut"),
    rate(t`Traffic in`, "octetsIn", traffic),
    rate(t`Traffic out`, "octetsOut", traffic),
    rate(t`Errors`, "errors"),
    rate(t`Discards`, "discards"),
  ],
  elements: [element, percent(t`CPU`, "cpu"), percent(t`Memory`, "memory")],
};

/** An unknown value is an empty cell. */
export function topCsv(rows: readonly TopRow[]): string {
  const names = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  return csvOf([
    ["element", "site", "object", ...names, "seconds counted", "unknown since"],
    ...rows.map((row) => [
      ...[row.elementName, row.siteName, row.object],
      ...names.map((name) => row.values[name]),
      ...[row.seconds, row.unknownSince],
    ]),
  ]);
}

interface Props {
  label: string;
  objects: Objects;
  window: Window;
  page: UseQueryResult<Page<TopRow>>;
  view: ListView;
  chosen: Chosen;
  /** A filter is set, so that the list may be empty. */
  narrowed: boolean;
}

const nameOf = ({ elementName, object }: TopRow): string =>
  [elementName, ...(object === SYSTEM ? [] : [object])].join(" ");

/** New columns would render all cells again, so they change only with their contents. */
function useTopColumns({ objects, window, chosen }: Props, measure: string): ServerColumn<TopRow>[] {
  const latest = useRef(chosen);
  useEffect(() => {
    latest.current = chosen;
  });
  const keys = chosen.series.map(seriesKey).join(" ");
  return useMemo(() => {
    const seconds = WINDOWS.find(([each]) => each === window)?.[2] ?? 0;
    const inChart = keys === "" ? [] : keys.split(" ");
    const seriesOf = (row: TopRow): Series => ({
      ...{ elementId: row.elementId, object: row.object },
      counter: COUNTER_OF[measure] ?? measure,
    });
    return [
      ...COLUMNS[objects],
      { title: t`Coverage`, cell: (row) => <Counted row={row} seconds={seconds} /> },
      {
        title: t`Compare`,
        cell: (row) =>
          inChart.includes(seriesKey(seriesOf(row))) ? (
            <span className="vm-quiet">
              <Trans>in the chart</Trans>
            </span>
          ) : (
            <ExplainedButton
              whyNot={whyNoMore(inChart.length)}
              variant="link"
              isInline
              aria-label={t`Compare ${nameOf(row)}`}
              onClick={() => latest.current.add(seriesOf(row))}
            >
              <Trans>Compare</Trans>
            </ExplainedButton>
          ),
      },
      {
        title: t`Board`,
        cell: (row) => (
          <AddToBoard
            name={nameOf(row)}
            title={nameOf(row)}
            series={pairOf(seriesOf(row).counter).map((counter) =>
              ofElement({ elementId: row.elementId, object: row.object, counter }),
            )}
          />
        ),
      },
    ];
  }, [objects, window, measure, keys]);
}

/** Each row leads to its values over time. */
export function TopTable(props: Props) {
  const { label, objects, page, view, narrowed } = props;
  const busiest = BUSIEST[objects];
  const sortBy = (sort: Sort) =>
    sort.by === busiest.by && sort.desc === busiest.desc ? view.set({ sort: "" }) : view.sortBy(sort);
  const columns = useTopColumns(props, view.sort?.by ?? busiest.by);
  return (
    <ServerTable
      label={label}
      counted={(rows) =>
        objects === "interfaces"
          ? plural(rows, { one: "# interface", other: "# interfaces" })
          : plural(rows, { one: "# element", other: "# elements" })
      }
      page={page}
      columns={columns}
      rowKey={({ elementId, object }) => `${elementId} ${object}`}
      view={{ ...view, sortBy, sort: view.sort ?? busiest }}
      empty={
        narrowed ? undefined : (
          <Empty title={t`No counters in this period`} icon={ChartLineIcon}>
            <Trans>
              Counters are polled once a minute from managed elements that respond to SNMP; rates need two polls. Choose
              a longer time range, or check whether the elements are reachable.
            </Trans>
          </Empty>
        )
      }
    />
  );
}
