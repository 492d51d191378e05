import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert } from "@patternfly/react-core";
import type { NetworkElement } from "@/api/types";
import { conditionOf } from "@/ui/Conditions";
import { ProblemAlert } from "@/ui/Problem";
import { Since } from "@/ui/Time";

/** Says since when the states below are out of date. */
export function NotCurrent({ element }: { element: NetworkElement }) {
  const reachable = conditionOf(element.conditions, "Reachable");
  if (!reachable || reachable.status === "True" || !element.observedAt) return null;
  return (
    <Alert
      isInline
      variant="warning"
      component="h2"
      className="vm-alert"
      title={
        <>
          <Trans>
            The states below are unknown since <Since at={reachable.lastTransitionTime} />
          </Trans>
        </>
      }
    >
      {reachable.message}
    </Alert>
  );
}

export function ResyncProblem({ element: { resync } }: { element: NetworkElement }) {
  if (resync.state !== "FAILED") return null;
  return (
    <ProblemAlert
      level="h2"
      error={{
        title: t`The last resync failed`,
        status: 0,
        detail: resync.problem,
        nextStep: t`Check the management address and the SNMP policy, then resync.`,
      }}
    />
  );
}
