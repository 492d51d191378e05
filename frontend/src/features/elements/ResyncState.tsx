import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Progress, ProgressMeasureLocation } from "@patternfly/react-core";
import type { NetworkElement } from "@/api/types";
import { lookOf, RESYNC } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago } from "@/ui/Time";

export function ResyncState({ element: { resync, name } }: { element: NetworkElement }) {
  if (resync.state === "RUNNING") {
    return (
      <Progress
        size="sm"
        className="vm-resync"
        aria-label={t`Resync of ${name}`}
        value={resync.progress}
        measureLocation={ProgressMeasureLocation.outside}
      />
    );
  }
  return (
    <span className="vm-labels">
      <StateLabel look={lookOf(RESYNC, resync.state)} title={resync.problem || undefined} />
      {resync.lastFullAt && (
        <span className="vm-quiet">
          <Trans>
            full <Ago at={resync.lastFullAt} />
          </Trans>
        </span>
      )}
    </span>
  );
}
