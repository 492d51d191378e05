import { Toolbar, ToolbarContent } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { AutomationDecision, AutomationPolicy, VnfInstance } from "@/api/types";
import { pb } from "@/paths";
import { SelectFilter } from "@/table/Filters";
import { filterText } from "@/table/filter";
import { ServerTable, type ServerColumn } from "@/table/ServerTable";
import { useListView } from "@/table/view";
import { Panel } from "@/ui/Panel";
import { DECISION, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago } from "@/ui/Time";
import { plural } from "@/ui/format";

const ACTIONS: Record<string, string> = { HEAL: "Heal", SCALE_OUT: "Scale out", SCALE_IN: "Scale in" };

const COLUMNS: ServerColumn<AutomationDecision>[] = [
  { title: "When", cell: ({ at }) => <Ago at={at} /> },
  {
    title: "Outcome",
    cell: ({ outcome, actionType }) => (
      <span className="vm-labels">
        <StateLabel look={lookOf(DECISION, outcome)} />
        {actionType && <span>{ACTIONS[actionType] ?? actionType}</span>}
      </span>
    ),
  },
  { title: "Why", isName: true, width: 40, cell: ({ message }) => <span className="vm-normal">{message}</span> },
  {
    title: "Seen",
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
    title: "Of",
    cell: ({ vnfInstanceId, vnfInstanceName, vnfLcmOpOccId }) => (
      <>
        <Link to={pb.instance(vnfInstanceId)}>{vnfInstanceName}</Link>
        {vnfLcmOpOccId && (
          <div>
            <Link to={pb.operation(vnfInstanceId, vnfLcmOpOccId)}>its operation</Link>
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

/** What a policy did, would have done, or held back, each with its why. */
export function Decisions({ policy, instance }: Props) {
  const view = useListView();
  const page = useQuery(
    q.automationDecisions(policy.id, {
      filter: filterText([
        ["eq", "outcome", view.get("outcome")],
        ["eq", "vnfInstanceId", instance?.id ?? ""],
      ]),
      nextpage_opaque_marker: view.after,
    }),
  );
  return (
    <Panel title={`Decisions of ${policy.name}`}>
      <Toolbar className="vm-toolbar" aria-label="Decisions: filters">
        <ToolbarContent>
          <SelectFilter
            view={view}
            name="outcome"
            label="Outcome"
            every="Every outcome"
            options={Object.entries(DECISION).map(([key, { text }]) => [key, text] as const)}
          />
        </ToolbarContent>
      </Toolbar>
      <ServerTable
        label={`Decisions of ${policy.name}`}
        counted={(rows) => plural(rows, "decision")}
        page={page}
        columns={COLUMNS}
        rowKey={({ id }) => String(id)}
        view={view}
        empty={<p className="vm-quiet">It has had nothing to decide yet.</p>}
      />
    </Panel>
  );
}
