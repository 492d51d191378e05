import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { frameKeys, frameQueries, restorationRelease, type RecordDifference, type Restoration } from "@/api/frame";
import { pb } from "@/paths";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { Panel } from "@/ui/Panel";
import { useDisabledReason } from "@/ui/rights";
import { ExactTime } from "@/ui/Time";

const PAGE: Record<RecordDifference["kind"], (id: string) => string> = {
  OPERATION_INTERRUPTED: pb.instance,
  INSTANCE_DRIFTED: pb.instance,
  STACK_UNCLAIMED: pb.vim,
  CONFIGURATION_CHANGED: pb.element,
  CONFIGURATION_UNKNOWN: pb.element,
  ELEMENT_UNREACHABLE: pb.element,
};

function Progress({ restoration }: { restoration: Restoration }) {
  const { clouds, cloudsCompared, elements, elementsCompared } = restoration;
  return (
    <p className="vm-quiet">
      <Trans>
        Compared since: {cloudsCompared} of {clouds} clouds, {elementsCompared} of {elements} network elements.
      </Trans>
    </p>
  );
}

function Differences({ restoration: { differences, differenceCount } }: { restoration: Restoration }) {
  const more = differenceCount - differences.length;
  if (differences.length === 0)
    return (
      <p>
        <Trans>No differences have been found so far.</Trans>
      </p>
    );
  return (
    <ul aria-label={t`Differences`}>
      {differences.map(({ kind, objectId, name, message }) => (
        <li key={`${kind} ${objectId} ${message}`}>
          <Link to={PAGE[kind](objectId)}>{name}</Link>: {message}
        </li>
      ))}
      {more > 0 && <li>{plural(more, { one: "and # more", other: "and # more" })}</li>}
    </ul>
  );
}

function ReleaseButton() {
  const [confirms, setConfirms] = useState(false);
  const client = useQueryClient();
  const whyNot = useDisabledReason("admin");
  const release = async () => {
    await restorationRelease();
    await client.invalidateQueries({ queryKey: frameKeys.readiness });
  };
  return (
    <>
      <Button
        variant="secondary"
        isAriaDisabled={whyNot !== undefined}
        title={whyNot}
        onClick={() => setConfirms(true)}
      >
        <Trans>Release</Trans>
      </Button>
      {confirms && whyNot === undefined && (
        <ConfirmDialog
          title={t`Release what is on hold`}
          button={t`Release`}
          run={release}
          onDone={() => setConfirms(false)}
          onClose={() => setConfirms(false)}
        >
          <Trans>
            Automatic healing and scaling act again on what is listed here, waiting notifications are sent, and images
            that no package needs are removed. Interrupted operations still wait for your decision.
          </Trans>
        </ConfirmDialog>
      )}
    </>
  );
}

/** After a restore operations are on hold until the user has compared the records with clouds and routers. */
export function RestorationPanel() {
  const from = useQuery(frameQueries.readiness()).data?.onHoldFrom ?? null;
  const { data } = useQuery(frameQueries.restoration(from !== null));
  if (from === null || !data) return null;
  return (
    <Panel title={t`Restored from a backup`} count={data.differenceCount} actions={<ReleaseButton />}>
      <p>
        <Trans>
          The records are those of <ExactTime at={from} /> ({data.backup}). This differs from them now:
        </Trans>
      </p>
      <Differences restoration={data} />
      <Progress restoration={data} />
    </Panel>
  );
}
