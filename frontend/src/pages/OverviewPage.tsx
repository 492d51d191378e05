import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Skeleton } from "@patternfly/react-core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Link } from "react-router";
import { frameQueries, type Overview } from "@/api/frame";
import { OperationLines } from "@/features/operations/OperationLines";
import { useOperationsDrawer } from "@/features/operations/OperationsDrawerState";
import { FirstStepsPanel } from "@/features/overview/FirstStepsPanel";
import { Capacity } from "@/features/overview/Capacity";
import { RestorationPanel } from "@/features/overview/RestorationPanel";
import { StateCounts } from "@/features/overview/StateCounts";
import { ObjectProblems } from "@/features/overview/ObjectProblems";
import { alarmCounts, cloudCounts, elementCounts, instanceCounts, sum } from "@/features/overview/countLinks";
import { pb } from "@/paths";
import { number } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { Screen } from "@/ui/Screen";

const AlarmHours = lazy(() => import("@/features/overview/AlarmHours"));

function CountPanels({ overview }: { overview: Overview }) {
  const { clouds, instances, vms, elements, alarms } = overview;
  const many = plural(sum(vms), { one: "# VM", other: "# VMs" });
  const lost = vms["UNKNOWN"];
  return (
    <div className="vm-tallies">
      <StateCounts
        title={t`Alarms`}
        total={t`${number(sum(alarms))} active`}
        to={pb.alarms()}
        counts={alarmCounts(overview)}
      />
      <StateCounts
        title={t`VNF instances`}
        total={t`${number(sum(instances))} in total`}
        note={lost ? t`${many}, ${number(lost)} not observed lately` : many}
        to={pb.instances()}
        counts={instanceCounts(overview)}
      />
      <StateCounts
        title={t`Network elements`}
        total={t`${number(sum(elements))} in total`}
        to={pb.elements()}
        counts={elementCounts(overview)}
      />
      <StateCounts
        title={t`Clouds`}
        total={t`${number(clouds.length)} in total`}
        to={pb.vims()}
        counts={cloudCounts(overview)}
      />
    </div>
  );
}

function Operations({ overview: { operations, operationsOpen } }: { overview: Overview }) {
  const { open } = useOperationsDrawer();
  return (
    <Panel
      title={t`Operations in progress`}
      count={operationsOpen}
      actions={
        <Link to={pb.instances()}>
          <Trans>VNF instances</Trans>
        </Link>
      }
    >
      {operations.length > 0 ? (
        <OperationLines label={t`Operations`} lines={operations.slice(0, MAX_OPERATIONS)} />
      ) : (
        <p className="vm-quiet">
          <Trans>No operations in progress.</Trans>
        </p>
      )}
      {operationsOpen > MAX_OPERATIONS && (
        <Button variant="link" isInline onClick={open}>
          <Trans>and {number(operationsOpen - MAX_OPERATIONS)} more</Trans>
        </Button>
      )}
    </Panel>
  );
}
const MAX_OPERATIONS = 5;
/** Up to this number of clouds the quotas stand beside the chart, otherwise below it. */
const FEW_CLOUDS = 2;

function OverviewPage() {
  const { data: overview } = useSuspenseQuery(frameQueries.overview());
  const isNarrow = overview.clouds.length > 0 && overview.clouds.length <= FEW_CLOUDS;
  return (
    <Screen title={t`Overview`}>
      <div className="vm-stack">
        <RestorationPanel />
        <FirstStepsPanel hasCloud={overview.clouds.length > 0} />
        <CountPanels overview={overview} />
        <div className="vm-overview">
          <ObjectProblems problems={overview.problems} />
          <div className="vm-stack">
            <Operations overview={overview} />
            {isNarrow && <Capacity clouds={overview.clouds} />}
          </div>
          <Panel title={t`Alarms, last 24 hours`}>
            <Suspense fallback={<Skeleton height="12rem" screenreaderText={t`Loading the chart`} />}>
              <AlarmHours hours={overview.hours} />
            </Suspense>
          </Panel>
          {overview.clouds.length > FEW_CLOUDS && <Capacity clouds={overview.clouds} />}
        </div>
      </div>
    </Screen>
  );
}

export { OverviewPage as Component };
