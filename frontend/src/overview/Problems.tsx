import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { Link } from "react-router";
import type { ObjectProblem } from "@/api/frame";
import { pb } from "@/paths";
import { Panel } from "@/ui/Panel";
import { lookOf, SEVERITIES, SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Table } from "@/ui/Table";
import { Ago } from "@/ui/Time";

const PAGE: Record<ObjectProblem["managedObjectType"], (id: string) => string> = {
  VNF_INSTANCE: pb.instance,
  NETWORK_ELEMENT: pb.element,
  VIM: pb.vim,
};

/** "1 critical, 3 major". */
const countsText = (counts: ObjectProblem["counts"]): string =>
  SEVERITIES.filter((severity) => (counts[severity] ?? 0) > 0)
    .map((severity) => `${counts[severity] ?? 0} ${SEVERITY[severity].text.toLowerCase()}`)
    .join(", ");

function Row({ problem }: { problem: ObjectProblem }) {
  const { managedObjectId: id, managedObjectName, managedObjectType } = problem;
  return (
    <Tr>
      <Td dataLabel={t`Worst`}>
        <StateLabel look={lookOf(SEVERITY, problem.severity)} />
      </Td>
      <Th scope="row" dataLabel={t`Object`}>
        <Link to={PAGE[managedObjectType](id)}>{managedObjectName || id}</Link>
      </Th>
      <Td dataLabel={t`Cause`}>
        <Link to={pb.alarm(problem.alarmId)}>{problem.cause}</Link>
      </Td>
      <Td dataLabel={t`Since`}>
        <Ago at={problem.since} />
      </Td>
      <Td dataLabel={t`Open alarms`}>
        <Link to={pb.alarmsFor(id)}>{countsText(problem.counts)}</Link>
      </Td>
    </Tr>
  );
}

/** Where to begin: objects by their worst alarm that no other causes, the longest-standing first. */
export function Problems({ problems }: { problems: readonly ObjectProblem[] }) {
  return (
    <Panel
      title={t`Top problems`}
      actions={
        <Link to={pb.alarms()}>
          <Trans>All alarms</Trans>
        </Link>
      }
    >
      {problems.length === 0 ? (
        <p className="vm-quiet">
          <Trans>No alarm is open.</Trans>
        </p>
      ) : (
        <Table aria-label={t`Top problems`}>
          <Thead>
            <Tr>
              <Th>
                <Trans>Worst</Trans>
              </Th>
              <Th>
                <Trans>Object</Trans>
              </Th>
              <Th>
                <Trans>Cause</Trans>
              </Th>
              <Th>
                <Trans>Since</Trans>
              </Th>
              <Th>
                <Trans>Open alarms</Trans>
              </Th>
            </Tr>
          </Thead>
          <Tbody>
            {problems.map((problem) => (
              <Row key={problem.managedObjectId} problem={problem} />
            ))}
          </Tbody>
        </Table>
      )}
    </Panel>
  );
}
