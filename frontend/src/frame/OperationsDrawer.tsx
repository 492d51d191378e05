import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { frameQueries } from "@/api/frame";
import { Drawer } from "@/ui/Drawer";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { OperationLines } from "@/features/operations/OperationLines";

export default function OperationsDrawer({ onClose }: { onClose: () => void }) {
  const { data, error, isError, refetch } = useQuery(frameQueries.operations());
  const unseen = data ? data.openCount - data.open.length : 0;
  return (
    <Drawer title={t`Operations`} shown="operations" onClose={onClose}>
      {isError && !data && (
        <ProblemAlert error={error}>
          <Button variant="link" isInline onClick={() => void refetch()}>
            <Trans>Try again</Trans>
          </Button>
        </ProblemAlert>
      )}
      {!data && !isError && (
        <LoadingNote>
          <Trans>Loading the operations</Trans>
        </LoadingNote>
      )}
      {data && (
        <>
          <Panel title={t`In progress`} count={data.openCount} level="h3">
            {data.open.length > 0 ? (
              <OperationLines label={t`Operations in progress`} lines={data.open} />
            ) : (
              <p className="vm-quiet">
                <Trans>No operations in progress.</Trans>
              </p>
            )}
            {unseen > 0 && (
              <p className="vm-quiet">
                <Trans>
                  and <Plural value={unseen} one="# older one" other="# older ones" />: see the VNF instances.
                </Trans>
              </p>
            )}
          </Panel>
          <Panel title={t`Ended`} level="h3">
            {data.ended.length > 0 ? (
              <OperationLines label={t`Ended operations`} lines={data.ended} />
            ) : (
              <p className="vm-quiet">
                <Trans>No ended operations.</Trans>
              </p>
            )}
          </Panel>
        </>
      )}
    </Drawer>
  );
}
