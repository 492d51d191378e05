import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Banner, Button } from "@patternfly/react-core";
import CheckCircleIcon from "@patternfly/react-icons/dist/esm/icons/check-circle-icon";
import DisconnectedIcon from "@patternfly/react-icons/dist/esm/icons/disconnected-icon";
import { useEffect, useState } from "react";
import { retryConnection, useConnection, type Connection } from "@/api/connection";
import { Since } from "@/ui/Time";

const NOTICE_MS = 8000;

/** Returns the beginning of the last loss for as long as it takes to read that the connection is back. */
function useReconnected(connection: Connection): string | undefined {
  const [said, setSaid] = useState<Connection>();
  const lost = connection.state === "live" && connection !== said ? connection.lostSince : undefined;
  useEffect(() => {
    if (lost === undefined) return;
    const timer = setTimeout(() => setSaid(connection), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [connection, lost]);
  return lost;
}

export function ConnectionBanner() {
  const connection = useConnection();
  const lost = useReconnected(connection);
  return (
    <div role="status" aria-label={t`Connection`}>
      {connection.state === "lost" && (
        <Banner color="yellow">
          <span className="vm-banner">
            <DisconnectedIcon />
            <span>
              <Trans>
                Connection to the VNF manager lost. Data may be stale since <Since at={connection.since} />.
              </Trans>
            </span>
            <Button variant="link" isInline onClick={retryConnection}>
              <Trans>Reconnect now</Trans>
            </Button>
          </span>
        </Banner>
      )}
      {lost !== undefined && (
        <Banner color="green">
          <span className="vm-banner">
            <CheckCircleIcon />
            <span>
              <Trans>
                Reconnected. Loading the changes since <Since at={lost} />.
              </Trans>
            </span>
          </span>
        </Banner>
      )}
    </div>
  );
}
