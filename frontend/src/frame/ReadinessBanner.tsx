import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Banner } from "@patternfly/react-core";
import ExclamationTriangleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon";
import { useQuery } from "@tanstack/react-query";
import { frameQueries, type ReadinessCheck } from "@/api/frame";
import { Since } from "@/ui/Time";

/** The server has a complete sentence for parts that are not processes. */
const PARTS = /^(database|schema|broker|disk .+)$/;

function Sentence({ check: { name, since, message } }: { check: ReadinessCheck }) {
  if (PARTS.test(name))
    return (
      <>
        {name}: {message}
      </>
    );
  if (since === null) return <Trans>No process {name} has ever run.</Trans>;
  if (name === "worker")
    return (
      <Trans>
        No worker has answered since <Since at={since} />. Operations wait.
      </Trans>
    );
  return (
    <Trans>
      The process {name} has not answered since <Since at={since} />.
    </Trans>
  );
}

export function ReadinessBanner() {
  const { data } = useQuery(frameQueries.readiness());
  const failing = data?.checks.filter(({ ok }) => !ok) ?? [];
  return (
    <div role="status" aria-label={t`State of the VNF manager`}>
      {failing.length > 0 && (
        <Banner color="red">
          <span className="vm-banner">
            <ExclamationTriangleIcon />
            {failing.map((check) => (
              <span key={check.name}>
                <Sentence check={check} />
              </span>
            ))}
          </span>
        </Banner>
      )}
    </div>
  );
}
