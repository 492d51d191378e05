import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Link, useParams } from "react-router";
import { q } from "@/api/queries";
import type { VnfInstance } from "@/api/types";
import { pb } from "@/paths";
import { InstanceActions } from "@/features/instances/InstanceActions";
import { Automation } from "@/features/automation/Automation";
import { AlarmsOf } from "@/features/faults/AlarmList";
import { Drift, DriftTitle } from "@/features/instances/Drift";
import { History } from "@/features/instances/History";
import { InstanceNotes } from "@/features/instances/InstanceNotes";
import { InstanceOverview } from "@/features/instances/InstanceOverview";
import { Networks, Operations, Stack } from "@/features/instances/instancePanels";
import { Snapshots } from "@/features/instances/Snapshots";
import { Vnfcs } from "@/features/instances/Vnfcs";
import { OperationPanel } from "@/features/operations/OperationPanel";
import { StepList } from "@/features/operations/StepList";
import { LinkButton } from "@/ui/LinkButton";
import { PageTabs } from "@/ui/PageTabs";
import { LoadingNote } from "@/ui/LoadingNote";
import { Screen } from "@/ui/Screen";
import { GoodConditions } from "@/ui/Conditions";
import { changingLook } from "@/ui/operationText";
import { INSTANTIATION, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";

const Topology = lazy(() => import("@/features/instances/topology/InstanceTopology"));
const InstancePerformance = lazy(() =>
  import("@/features/instances/InstancePerformance").then(({ InstancePerformance: Performance }) => ({
    default: Performance,
  })),
);
const InstanceElement = lazy(() =>
  import("@/features/instances/ElementTab").then(({ ElementTab: Element }) => ({ default: Element })),
);

/** The running operation, or the last one if it waits for a decision. */
function useCurrentOperation(instance: VnfInstance) {
  const { data: history } = useQuery(q.opOccsOf(instance.id));
  const undecided = history?.find((occ) => occ.operationState === "FAILED_TEMP");
  const id = instance.runningOpOccId ?? undecided?.id;
  const { data: occ } = useQuery({ ...q.opOcc(id ?? ""), enabled: id !== undefined });
  return id === undefined ? undefined : occ;
}

/** A running operation is more important than ETSI's state: "Instantiating 4/7". */
function State({ instance }: { instance: VnfInstance }) {
  const occ = useCurrentOperation(instance);
  if (!occ) return <StateLabel look={lookOf(INSTANTIATION, instance.instantiationState)} />;
  const done = occ.steps.filter(({ state }) => state === "DONE").length;
  return <StateLabel look={changingLook(occ, { done, all: occ.steps.length })} />;
}

function CurrentOperation({ instance }: { instance: VnfInstance }) {
  const occ = useCurrentOperation(instance);
  if (!occ) return null;
  return (
    <OperationPanel
      key={occ.id}
      occ={occ}
      compact
      link={
        <Link to={pb.operation(instance.id, occ.id)}>
          <Trans>Details</Trans>
        </Link>
      }
    >
      <StepList occ={occ} />
    </OperationPanel>
  );
}

function Components({ instance }: { instance: VnfInstance }) {
  return (
    <div className="vm-stack">
      <Vnfcs instance={instance} />
      <Networks instance={instance} />
      <Stack instance={instance} />
    </div>
  );
}

function Parts({ instance }: { instance: VnfInstance }) {
  return (
    <PageTabs
      label={t`Parts of the VNF instance`}
      parts={[
        { key: "components", title: t`Components`, content: () => <Components instance={instance} /> },
        {
          key: "topology",
          title: t`Topology`,
          content: () => (
            <Suspense
              fallback={
                <LoadingNote>
                  <Trans>Drawing…</Trans>
                </LoadingNote>
              }
            >
              <Topology instance={instance} />
            </Suspense>
          ),
        },
        { key: "drift", title: <DriftTitle instance={instance} />, content: () => <Drift instance={instance} /> },
        { key: "operations", title: t`Operations`, content: () => <Operations instance={instance} /> },
        {
          key: "performance",
          title: t`Performance`,
          content: () => (
            <Suspense
              fallback={
                <LoadingNote>
                  <Trans>Loading the metrics…</Trans>
                </LoadingNote>
              }
            >
              <InstancePerformance instance={instance} />
            </Suspense>
          ),
        },
        {
          key: "element",
          title: t`Element`,
          content: () => (
            <Suspense
              fallback={
                <LoadingNote>
                  <Trans>Loading its network element…</Trans>
                </LoadingNote>
              }
            >
              <InstanceElement instance={instance} />
            </Suspense>
          ),
        },
        { key: "automation", title: t`Automation`, content: () => <Automation instance={instance} /> },
        {
          key: "alarms",
          title: t`Alarms`,
          content: () => <AlarmsOf objectId={instance.id} label={t`Alarms of this instance`} />,
        },
        { key: "snapshots", title: t`Snapshots`, content: () => <Snapshots instance={instance} /> },
        { key: "history", title: t`History`, content: () => <History instance={instance} /> },
        { key: "notes", title: t`Notes`, content: () => <InstanceNotes instance={instance} /> },
      ]}
    />
  );
}

function InstancePage() {
  const { id = "" } = useParams();
  const { data: instance } = useSuspenseQuery(q.vnfInstance(id));
  return (
    <Screen
      title={instance.name}
      crumbs={[{ text: t`VNF instances`, to: pb.instances() }]}
      labels={
        <>
          <State instance={instance} />
          <GoodConditions conditions={instance.conditions} />
        </>
      }
      actions={
        <>
          {instance.instantiationState === "INSTANTIATED" && (
            <LinkButton variant="secondary" to={pb.onMap("instance", instance.id)}>
              <Trans>Show on the map</Trans>
            </LinkButton>
          )}
          <InstanceActions instance={instance} />
        </>
      }
    >
      <div className="vm-stack">
        <InstanceOverview instance={instance} />
        <CurrentOperation instance={instance} />
        <Parts instance={instance} />
      </div>
    </Screen>
  );
}

export { InstancePage as Component };
