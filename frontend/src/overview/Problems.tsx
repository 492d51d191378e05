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
      <Td dataLabel="Worst">
        <StateLabel look={lookOf(SEVERITY, problem.severity)} />
      </Td>
      <Th scope="row" dataLabel="Object">
        <Link to={PAGE[managedObjectType](id)}>{managedObjectName || id}</Link>
      </Th>
      <Td dataLabel="Cause">
        <Link to={pb.alarm(problem.alarmId)}>{problem.cause}</Link>
      </Td>
      <Td dataLabel="Since">
        <Ago at={problem.since} />
      </Td>
      <Td dataLabel="Open alarms">
        <Link to={pb.alarmsFor(id)}>{countsText(problem.counts)}</Link>
      </Td>
    </Tr>
  );
}

/** Where to begin: objects by their worst alarm that no other causes, the longest-standing first. */
export function Problems({ problems }: { problems: readonly ObjectProblem[] }) {
  return (
    <Panel title="Top problems" actions={<Link to={pb.alarms()}>All alarms</Link>}>
      {problems.length === 0 ? (
        <p className="vm-quiet">No alarm is open.</p>
      ) : (
        <Table aria-label="Top problems">
          <Thead>
            <Tr>
              <Th>Worst</Th>
              <Th>Object</Th>
              <Th>Cause</Th>
              <Th>Since</Th>
              <Th>Open alarms</Th>
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
