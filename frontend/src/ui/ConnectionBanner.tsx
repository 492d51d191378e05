import { Banner, Button } from "@patternfly/react-core";
import DisconnectedIcon from "@patternfly/react-icons/dist/esm/icons/disconnected-icon";
import { retryConnection, useConnection } from "@/api/connection";
import { Since } from "./Time";

/** Says that live updates have stopped, and since when what is on the screen may be stale. */
export function ConnectionBanner() {
  const connection = useConnection();
  return (
    <div role="status" aria-label="Connection">
      {connection.state === "lost" && (
        <Banner color="yellow">
          <span className="vm-banner">
            <DisconnectedIcon />
            <span>
              Connection to the VNF manager lost. What you see may be stale since <Since at={connection.since} />.
            </span>
            <Button variant="link" isInline onClick={retryConnection}>
              Reconnect now
            </Button>
          </span>
        </Banner>
      )}
    </div>
  );
}
