import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Banner } from "@patternfly/react-core";
import ExclamationTriangleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { frameQueries } from "@/api/frame";
import { pb } from "@/paths";
import { ExactTime } from "@/ui/Time";

/** After a restoration the records are older than the clouds and elements. */
export function RestorationBanner() {
  const from = useQuery(frameQueries.readiness()).data?.onHoldFrom ?? null;
  const { data } = useQuery(frameQueries.restoration(from !== null));
  const many = data && plural(data.differenceCount, { one: "# difference", other: "# differences" });
  return (
    <div role="status" aria-label={t`Restored from a backup`}>
      {from !== null && (
        <Banner color="orange">
          <span className="vm-banner">
            <ExclamationTriangleIcon />
            <span>
              <Trans>
                Restored from a backup of <ExactTime at={from} />.
              </Trans>
            </span>
            <span>
              <Link to={pb.overview()}>{many ?? t`Compare`}</Link>
            </span>
            <span>
              <Trans>Automation and notifications are on hold.</Trans>
            </span>
          </span>
        </Banner>
      )}
    </div>
  );
}
