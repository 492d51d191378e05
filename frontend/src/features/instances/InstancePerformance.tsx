import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { NetworkElement, TopRow, Vnfc, VnfInstance } from "@/api/types";
import { pb } from "@/paths";
import { AddSeries } from "@/features/performance/AddSeries";
import { CompareSeries } from "@/features/performance/CompareSeries";
import { SYSTEM } from "@/features/performance/counters";
import { seriesText, useChosen } from "@/features/performance/series";
import { ThresholdRules } from "@/features/performance/ThresholdRules";
import { DataTable, type Column } from "@/table/DataTable";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { Since } from "@/ui/Time";
import { OwnElements } from "./OwnElements";
import { ProbedTraffic } from "./ProbedTraffic";

const NOT_METERED = t`not measured`;

interface Row {
  vnfc: Vnfc;
  /** Only for a VNFC that is an element of its own. */
  load: TopRow | undefined;
}

function Load({ row: { load }, name }: { row: Row; name: "cpu" | "memory" }) {
  if (!load) return <span className="vm-quiet">{NOT_METERED}</span>;
  const value = load.values[name] ?? null;
  return (
    <>
      {value === null ? (
        <span className="vm-quiet">
          <Trans>unknown</Trans>
        </span>
      ) : (
        `${value.toFixed(1)} %`
      )}
      {load.unknownSince && (
        <span className="vm-quiet">
          {" "}
          <Trans>
            unknown since <Since at={load.unknownSince} />
          </Trans>
        </span>
      )}
    </>
  );
}

const COLUMNS: Column<Row>[] = [
  { title: t`Slot`, cell: ({ vnfc }) => <strong className="vm-slot">{vnfc.slot || "—"}</strong> },
  { title: "VNFC", isName: true, cell: ({ vnfc }) => vnfc.name },
  { title: t`CPU`, cell: (row) => <Load row={row} name="cpu" /> },
  { title: t`Memory`, cell: (row) => <Load row={row} name="memory" /> },
];

/** A VM has no counters except those of its element. */
function PerVnfc({ instance, elements }: { instance: VnfInstance; elements: readonly NetworkElement[] }) {
  const { data, error } = useQuery(
    q.performanceTop({ objects: "elements", window: "15m", filter: `(eq,vnfInstanceId,${instance.id})` }),
  );
  const loadOf = (vnfc: Vnfc): TopRow | undefined => {
    const own = elements.find((element) => element.vnfcId === vnfc.id);
    return own && data?.rows.find(({ elementId }) => elementId === own.id);
  };
  if (error && !data) return <ProblemAlert error={error} level="h2" />;
  if (!data)
    return (
      <LoadingNote>
        <Trans>Loading the VM metrics…</Trans>
      </LoadingNote>
    );
  return (
    <Panel title={t`VMs, last 15 minutes`} count={instance.vnfcs.length}>
      <p className="vm-quiet">
        <Trans>
          Metrics come from network elements, not from the cloud&apos;s telemetry. CPU and memory are known per VM only
          if the VM is a network element by itself; a router of several VMs reports them for the whole router, as in the
          chart above.
        </Trans>
      </p>
      <DataTable
        label={t`VMs, last 15 minutes`}
        name="vms"
        rows={instance.vnfcs.map((vnfc) => ({ vnfc, load: loadOf(vnfc) }))}
        columns={COLUMNS}
        rowKey={({ vnfc }) => vnfc.id}
        none={t`No VMs: the instance is not instantiated`}
      />
    </Panel>
  );
}

type OneOrMore = readonly [NetworkElement, ...NetworkElement[]];

function KnownCounters({ instance, elements }: { instance: VnfInstance; elements: OneOrMore }) {
  const loads = elements.flatMap(({ id, name }) =>
    ["cpu", "memory"].map((counter) => {
      const series = { elementId: id, object: SYSTEM, counter };
      return { ...series, name: seriesText(series, name) };
    }),
  );
  const chosen = useChosen(loads.map(({ elementId, object, counter }) => ({ elementId, object, counter })));
  return (
    <div className="vm-stack">
      <Panel
        title={t`Over time`}
        actions={
          <>
            {elements.map(({ id, name }) => (
              <Link key={id} to={pb.counters(id, SYSTEM)}>
                <Trans>All counters of {name}</Trans>
              </Link>
            ))}
          </>
        }
      >
        <AddSeries chosen={chosen} elements={elements} />
        <CompareSeries chosen={chosen} />
      </Panel>
      <ThresholdRules counted={loads} elements={elements} />
      <PerVnfc instance={instance} elements={elements} />
    </div>
  );
}

export const InstancePerformance = ({ instance }: { instance: VnfInstance }) => (
  <div className="vm-stack">
    <ProbedTraffic instanceId={instance.id} />
    <OwnElements
      instance={instance}
      none={t`No metrics`}
      hint={t`Metrics come from network elements, not from the cloud's telemetry, and this instance has no network element.`}
    >
      {(elements) => <KnownCounters instance={instance} elements={elements} />}
    </OwnElements>
  </div>
);
