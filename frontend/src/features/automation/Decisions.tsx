import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { AutomationDecision, AutomationPolicy, VnfInstance } from "@/api/types";
import { pb } from "@/paths";
import { SelectFilter } from "@/table/Filters";
import { ListBar } from "@/table/ListBar";
import { PageCount } from "@/table/PageCount";
import { TableOptions } from "@/table/TableOptions";
import { filterText } from "@/api/filter";
import { ServerTable, type ServerColumn } from "@/table/ServerTable";
import { useListView } from "@/ui/listView";
import { Panel } from "@/ui/Panel";
import { DECISION, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago } from "@/ui/Time";

const ACTIONS: Record<string, string> = { HEAL: t`Heal`, SCALE_OUT: t`Scale out`, SCALE_IN: t`Scale in` };

const COLUMNS: ServerColumn<AutomationDecision>[] = [
  { title: t`When`, cell: ({ at }) => <Ago at={at} /> },
  {
    title: t`Outcome`,
    cell: ({ outcome, actionType }) => (
      <span className="vm-labels">
        <StateLabel look={lookOf(DECISION, outcome)} />
        {actionType && <span>{ACTIONS[actionType] ?? actionType}</span>}
      </span>
    ),
  },
  { title: t`Reason`, isName: true, width: 40, cell: ({ message }) => <span className="vm-normal">{message}</span> },
  {
    title: t`Trigger`,
    cell: ({ seen }) =>
      seen.length === 0
        ? "—"
        : seen.map(({ cause, subject, words, since }) => (
            <div key={cause + subject}>
              {words}{" "}
              <span className="vm-quiet">
                <Ago at={since} />
              </span>
            </div>
          )),
  },
  {
    title: t`Target`,
    cell: ({ vnfInstanceId, vnfInstanceName, vnfLcmOpOccId }) => (
      <>
        <Link to={pb.instance(vnfInstanceId)}>{vnfInstanceName}</Link>
        {vnfLcmOpOccId && (
          <div>
            <Link to={pb.operation(vnfInstanceId, vnfLcmOpOccId)}>
              <Trans>operation</Trans>
            </Link>
          </div>
        )}
      </>
    ),
  },
];

interface Props {
  policy: AutomationPolicy;
  instance?: VnfInstance | undefined;
}

/** A decision is an action, an action that a dry run would have taken, or one that was held back, with the reason. */
export function Decisions({ policy, instance }: Props) {
  const view = useListView();
  const page = useQuery(
    q.automationDecisions(policy.id, {
      filter: filterText([
        ["eq", "outcome", view.get("outcome")],
        ["eq", "vnfInstanceId", instance?.id ?? ""],
      ]),
      ...view.paging,
    }),
  );
  return (
    <Panel title={t`Decisions of ${policy.name}`}>
      <ListBar
        label={t`Decisions`}
        end={
          <>
            <PageCount
              page={page}
              view={view}
              counted={(rows) => plural(rows, { one: "# decision", other: "# decisions" })}
            />
            <TableOptions label={t`Decisions of ${policy.name}`} columns={COLUMNS} />
          </>
        }
      >
        <SelectFilter
          view={view}
          name="outcome"
          label={t`Outcome`}
          every={t`All outcomes`}
          options={Object.entries(DECISION).map(([key, { text }]) => [key, text] as const)}
        />
      </ListBar>
      <ServerTable
        label={t`Decisions of ${policy.name}`}
        page={page}
        columns={COLUMNS}
        rowKey={({ id }) => String(id)}
        view={view}
        empty={
          <p className="vm-quiet">
            <Trans>No decisions yet.</Trans>
          </p>
        }
      />
    </Panel>
  );
}
