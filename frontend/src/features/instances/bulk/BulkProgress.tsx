import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { q } from "@/api/queries";
import { pb } from "@/paths";
import { lookOf, OPERATION_STATE } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Table } from "@/ui/Table";

/** The id of the operation, or why it did not start. */
export type Started = { opOccId: string } | { why: string } | undefined;
export interface StartedLine {
  id: string;
  name: string;
  started: Started;
}

function Operation({ instanceId, opOccId }: { instanceId: string; opOccId: string }) {
  const { data: occ } = useQuery(q.opOcc(opOccId));
  if (!occ) return <>…</>;
  const done = occ.steps.filter(({ state }) => state === "DONE").length;
  return (
    <span className="vm-labels">
      <Link to={pb.operation(instanceId, opOccId)}>
        <StateLabel look={lookOf(OPERATION_STATE, occ.operationState)} />
      </Link>
      {occ.steps.length > 0 && (
        <span className="vm-quiet">
          <Trans>
            {done} of {occ.steps.length} steps
          </Trans>
        </span>
      )}
    </span>
  );
}

export function BulkProgress({ lines }: { lines: readonly StartedLine[] }) {
  return (
    <Table aria-label={t`Operations`}>
      <Thead>
        <Tr>
          <Th>
            <Trans>VNF instance</Trans>
          </Th>
          <Th>
            <Trans>Operation</Trans>
          </Th>
        </Tr>
      </Thead>
      <Tbody>
        {lines.map(({ id, name, started }) => (
          <Tr key={id}>
            <Td dataLabel={t`VNF instance`}>{name}</Td>
            <Td dataLabel={t`Operation`}>
              {started === undefined ? (
                t`Waiting`
              ) : "why" in started ? (
                <span className="vm-error-text">{started.why}</span>
              ) : (
                <Operation instanceId={id} opOccId={started.opOccId} />
              )}
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
