import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router";
import type { ObjectProblem } from "@/api/frame";
import { pb } from "@/paths";
import { wordsOf } from "@/ui/names";
import { Panel } from "@/ui/Panel";
import { lookOf, SEVERITIES, SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago } from "@/ui/Time";

const PAGE: Record<ObjectProblem["managedObjectType"], (id: string) => string> = {
  VNF_INSTANCE: pb.instance,
  NETWORK_ELEMENT: pb.element,
  VIM: pb.vim,
  MANAGER: () => pb.overview(),
};

/** "1 critical, 3 major" */
const countsText = (counts: ObjectProblem["counts"]): string =>
  SEVERITIES.filter((severity) => (counts[severity] ?? 0) > 0)
    .map((severity) => `${counts[severity] ?? 0} ${SEVERITY[severity].text.toLowerCase()}`)
    .join(", ");

function Row({ problem }: { problem: ObjectProblem }) {
  const { managedObjectId: id, managedObjectName, managedObjectType } = problem;
  return (
    <tr>
      <td>
        <StateLabel look={lookOf(SEVERITY, problem.severity)} />
      </td>
      <th scope="row">
        <Link to={PAGE[managedObjectType](id)}>{managedObjectName || id}</Link>
      </th>
      <td>
        <Link to={pb.alarm(problem.alarmId)}>{wordsOf(problem.cause)}</Link>
      </td>
      <td>
        <Ago at={problem.since} />
      </td>
      <td>
        <Link to={pb.alarmsFor(id)}>{countsText(problem.counts)}</Link>
      </td>
    </tr>
  );
}

/**
 * Objects are sorted by their worst root-cause alarm, then by its age. PatternFly's table would be a tenth of what
 * the first page loads, so this is plain HTML.
 */
export function ObjectProblems({ problems }: { problems: readonly ObjectProblem[] }) {
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
          <Trans>No active alarms.</Trans>
        </p>
      ) : (
        <div className="vm-wide">
          <table className="vm-plain-table" aria-label={t`Top problems`}>
            <thead>
              <tr>
                <th scope="col">
                  <Trans>Worst</Trans>
                </th>
                <th scope="col">
                  <Trans>Object</Trans>
                </th>
                <th scope="col">
                  <Trans>Cause</Trans>
                </th>
                <th scope="col">
                  <Trans>Since</Trans>
                </th>
                <th scope="col">
                  <Trans>Active alarms</Trans>
                </th>
              </tr>
            </thead>
            <tbody>
              {problems.map((problem) => (
                <Row key={problem.managedObjectId} problem={problem} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
