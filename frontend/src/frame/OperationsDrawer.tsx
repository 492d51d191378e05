import { Button } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { frameQueries } from "@/api/frame";
import { Drawer } from "@/ui/Drawer";
import { plural } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { Pending } from "@/ui/Pending";
import { ProblemAlert } from "@/ui/Problem";
import { OperationLines } from "./OperationLines";

/** What is being done anywhere, and what was done last. */
export default function OperationsDrawer({ onClose }: { onClose: () => void }) {
  const { data, error, isError, refetch } = useQuery(frameQueries.operations());
  const unseen = data ? data.openCount - data.open.length : 0;
  return (
    <Drawer title="Operations" shown="operations" onClose={onClose}>
      {isError && !data && (
        <ProblemAlert error={error}>
          <Button variant="link" isInline onClick={() => void refetch()}>
            Try again
          </Button>
        </ProblemAlert>
      )}
      {!data && !isError && <Pending>Reading the operations</Pending>}
      {data && (
        <>
          <Panel title="Under way" count={data.openCount} level="h3">
            {data.open.length > 0 ? (
              <OperationLines label="Operations under way" lines={data.open} />
            ) : (
              <p className="vm-quiet">Nothing is being changed.</p>
            )}
            {unseen > 0 && <p className="vm-quiet">and {plural(unseen, "older one")}: see the VNF instances.</p>}
          </Panel>
          <Panel title="Ended" level="h3">
            {data.ended.length > 0 ? (
              <OperationLines label="Ended operations" lines={data.ended} />
            ) : (
              <p className="vm-quiet">No operation has ended yet.</p>
            )}
          </Panel>
        </>
      )}
    </Drawer>
  );
}
