import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { Vnfc } from "@/api/types";
import { StateLabel } from "./StateLabel";
import { isAsDesired, serverStatus } from "./states";

/** Shows the desired state only if it differs from the observed one. */
export function VnfcStatus({ vnfc }: { vnfc: Vnfc }) {
  const differs = !isAsDesired(vnfc.status, vnfc.desired);
  return (
    <span className="vm-labels">
      <StateLabel look={serverStatus(vnfc.status)} />
      {differs && (
        <span className="vm-quiet">{vnfc.desired === "STARTED" ? t`should be started` : t`should be stopped`}</span>
      )}
      {vnfc.status === "UNKNOWN" && (
        <span className="vm-quiet">
          <Trans>was {serverStatus(vnfc.lastKnownStatus).text.toLowerCase()}</Trans>
        </span>
      )}
      {vnfc.fault && <span className="vm-fault">{vnfc.fault}</span>}
    </span>
  );
}
