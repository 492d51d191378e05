import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { q } from "@/api/queries";
import type { TrafficPath } from "@/api/types";
import { AddToBoard } from "@/features/performance/AddToBoard";
import { MOST_SERIES } from "@/features/performance/series";
import { DataTable, type Column } from "@/table/DataTable";
import { number } from "@/ui/format";
import { Panel } from "@/ui/Panel";

const LineChart = lazy(() => import("@/ui/LineChart"));

const MINUTES = 60;
const MS = 1000;

const gapText = (seconds: number): string => t`${number(Math.round(seconds * MS))} ms`;

const COLUMNS: Column<TrafficPath>[] = [
  { title: t`Path`, isName: true, cell: ({ path }) => path },
  { title: t`Packets sent`, cell: ({ sent }) => number(sent) },
  { title: t`Packets lost`, cell: ({ lost }) => <strong>{number(lost)}</strong> },
  { title: t`Longest gap`, cell: ({ gap }) => gapText(gap) },
];

/** Renders nothing unless a probe reports packets of this instance. */
export function ProbedTraffic({ instanceId }: { instanceId: string }) {
  const { data } = useQuery(q.instanceTraffic(instanceId, MINUTES));
  if (!data || data.paths.length === 0) return null;
  const at = data.paths[0]?.steps.map((step) => step.at) ?? [];
  const lines = data.paths.map(({ path, steps }) => ({
    name: path,
    values: steps.map(({ seconds, lost }) => (seconds > 0 ? lost / seconds : null)),
  }));
  return (
    <Panel
      title={t`Traffic of customers, last hour`}
      actions={
        <AddToBoard
          name={t`Packets lost`}
          title={t`Packets lost`}
          series={data.paths.slice(0, MOST_SERIES).map(({ path }) => ({
            ...{ sourceType: "VNF_INSTANCE", sourceId: instanceId },
            ...{ object: path, counter: "lost" },
          }))}
        />
      }
    >
      <p className="vm-quiet">
        <Trans>
          Probes send numbered packets through the VNF. Losses also stand in the history of each operation that ran
          meanwhile.
        </Trans>
      </p>
      <Suspense fallback={null}>
        <LineChart label={t`Packets lost`} unit="packet/s" at={at} lines={lines} />
      </Suspense>
      <DataTable
        label={t`Traffic of customers, last hour`}
        name="traffic"
        rows={data.paths}
        columns={COLUMNS}
        rowKey={({ path }) => path}
        none={t`No probe reports`}
      />
    </Panel>
  );
}
