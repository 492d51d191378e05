import { Button } from "@patternfly/react-core";
import DownloadIcon from "@patternfly/react-icons/dist/esm/icons/download-icon";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  configurationBackup,
  configurationPlan,
  configurationPlanUpdate,
  configurationPush,
  configurationRollback,
  configurationTextHref,
} from "@/api/calls-configuration";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { ConfigurationJob, ConfigurationPlan, ConfigurationVersion, NetworkElement } from "@/api/types";
import type { FieldSpec } from "@/records/fields";
import { RecordDialog } from "@/records/RecordDialog";
import { DataTable } from "@/table/DataTable";
import { ServerTable, type ServerColumn } from "@/table/ServerTable";
import { useListView } from "@/table/view";
import { ActionButton } from "@/ui/ActionButton";
import { bytes, plural } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { Pending } from "@/ui/Pending";
import { ProblemAlert } from "@/ui/Problem";
import { Ago, Elapsed } from "@/ui/Time";
import { ChangeDialog } from "./ChangeDialog";
import { Compare, useCompared } from "./Compare";
import { JobState, jobText } from "./JobState";

const REASONS: Record<ConfigurationVersion["reason"], string> = {
  REQUEST: "asked for",
  SCHEDULE: "by the clock",
  CHANGE: "the element told of a change",
  BEFORE_PUSH: "before a push",
  PUSH: "after a push",
  ROLLBACK: "after a rollback",
  ADMIN_STATE: "after a part was switched",
};

const PLAN_FIELDS: FieldSpec[] = [
  {
    kind: "number",
    name: "intervalSeconds",
    label: "Every (s)",
    help: "From backup to backup; empty: none by the clock.",
  },
  { kind: "number", name: "keepVersions", label: "Versions to keep", required: true },
  { kind: "check", name: "onChange", label: "Whenever the element tells of a change" },
];

function planText({ intervalSeconds, onChange, keepVersions }: ConfigurationPlan): string {
  const when = [
    intervalSeconds === null ? "" : `every ${intervalSeconds} s`,
    onChange ? "whenever the element tells of a change" : "",
  ].filter(Boolean);
  return when.length > 0
    ? `Backed up ${when.join(" and ")}; ${keepVersions} versions are kept.`
    : "Not backed up by itself.";
}

function Jobs({ jobs }: { jobs: readonly ConfigurationJob[] }) {
  if (jobs.length === 0) return null;
  return (
    <Panel title="What was asked of it" count={jobs.length}>
      <DataTable
        label="What was asked of it"
        name="jobs"
        rows={jobs.slice(0, 20)}
        rowKey={({ id }) => id}
        columns={[
          { title: "What", isName: true, cell: jobText },
          { title: "State", width: 40, cell: (job) => <JobState job={job} /> },
          { title: "By", cell: ({ by }) => by || "the VNF manager" },
          { title: "Asked", cell: ({ createdAt }) => <Ago at={createdAt} /> },
          {
            title: "Took",
            cell: ({ startedAt, endedAt }) => (startedAt ? <Elapsed from={startedAt} to={endedAt} /> : "—"),
          },
        ]}
      />
    </Panel>
  );
}

type Open = "push" | "plan" | { rollback: ConfigurationVersion };

function Dialogs({
  element,
  plan,
  open,
  onClose,
}: {
  element: NetworkElement;
  plan: ConfigurationPlan;
  open: Open;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [opened] = useState(plan);
  if (open === "plan") {
    const refresh = () => {
      void client.invalidateQueries({ queryKey: keys.configuration(element.id) });
      onClose();
    };
    return (
      <RecordDialog
        title={`When ${element.name} is backed up`}
        button="Save"
        fields={PLAN_FIELDS}
        initial={opened}
        isNew={false}
        save={(input, on) => configurationPlanUpdate(element.id, input, (on as ConfigurationPlan).version)}
        reread={() => configurationPlan(element.id)}
        onSaved={refresh}
        onClose={refresh}
      />
    );
  }
  if (open === "push") {
    return (
      <ChangeDialog
        element={element}
        title={`Push lines to ${element.name}`}
        lead="They become part of its configuration, which is saved. What it had before is kept as a version."
        button="Push"
        withText
        ask={(text, dryRun) => configurationPush(element.id, { text, dryRun })}
        onClose={onClose}
      />
    );
  }
  const { rollback: version } = open;
  return (
    <ChangeDialog
      element={element}
      title={`Roll ${element.name} back to version ${version.number}`}
      lead="That version becomes the running configuration again. What runs now is kept as a version."
      button="Roll back"
      ask={(_text, dryRun) => configurationRollback(element.id, { versionId: version.id, dryRun })}
      onClose={onClose}
    />
  );
}

/** The configurations that an element had, how they differ, and the ways to change what it has. */
export function ConfigurationTab({ element }: { element: NetworkElement }) {
  const client = useQueryClient();
  const view = useListView();
  const { data: plan, error } = useQuery(q.configurationPlan(element.id));
  const versions = useQuery(q.configurationVersions(element.id, { nextpage_opaque_marker: view.after }));
  const { data: jobs = [] } = useQuery(q.configurationJobs(element.id));
  const [open, setOpen] = useState<Open>();
  const compared = useCompared();
  const backup = useMutation({
    mutationFn: () => configurationBackup(element.id),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.configurationJobs }),
  });
  if (error && !plan) return <ProblemAlert error={error} level="h2" />;
  if (!plan) return <Pending>Reading the versions…</Pending>;
  const whyNot =
    (element.netconfPolicyId ?? element.sshPolicyId) ? "" : "It has no NETCONF or SSH policy: nobody can log in.";
  const action = { action: "configure", enabled: whyNot === "", disabledReason: whyNot };
  const rows = versions.data?.rows ?? [];
  const columns: ServerColumn<ConfigurationVersion>[] = [
    { title: "Version", isName: true, cell: ({ number }) => number },
    { title: "Taken", cell: ({ takenAt }) => <Ago at={takenAt} /> },
    { title: "Last the same", cell: ({ confirmedAt }) => <Ago at={confirmedAt} /> },
    { title: "Why", cell: ({ reason, by }) => [REASONS[reason], by].filter(Boolean).join(", ") },
    { title: "Size", cell: ({ lines, size }) => `${plural(lines, "line")}, ${bytes(size)}` },
    {
      title: "Actions",
      cell: (version) => {
        const before = rows[rows.indexOf(version) + 1];
        const named = { size: "sm", variant: "secondary" } as const;
        return (
          <span className="vm-buttons">
            <Button
              {...named}
              aria-label={`Show version ${version.number}`}
              onClick={() => compared.show(version.id, "")}
            >
              Show
            </Button>
            {before && (
              <Button
                {...named}
                aria-label={`Compare with ${before.number}: version ${version.number}`}
                onClick={() => compared.show(version.id, before.id)}
              >
                Compare with {before.number}
              </Button>
            )}
            <Button
              variant="plain"
              size="sm"
              component="a"
              href={configurationTextHref(element.id, version.id)}
              download
              aria-label={`Download version ${version.number}`}
              icon={<DownloadIcon />}
            />
            <ActionButton
              {...named}
              action={action}
              aria-label={`Roll back to version ${version.number}`}
              onClick={() => setOpen({ rollback: version })}
            >
              Roll back
            </ActionButton>
          </span>
        );
      },
    },
  ];
  return (
    <div className="vm-stack">
      <div className="vm-list-head">
        <p className="vm-quiet">{planText(plan)} Passwords, keys and communities are masked.</p>
        <span className="vm-buttons">
          <ActionButton
            action={action}
            variant="secondary"
            isLoading={backup.isPending}
            onClick={() => backup.mutate()}
          >
            Back up now
          </ActionButton>
          <ActionButton action={action} variant="secondary" onClick={() => setOpen("push")}>
            Push lines
          </ActionButton>
          <Button variant="secondary" onClick={() => setOpen("plan")}>
            When to back up
          </Button>
        </span>
      </div>
      {backup.isError && <ProblemAlert error={backup.error} level="h2" />}
      <ServerTable
        label="Versions"
        counted={(rows) => plural(rows, "version")}
        page={versions}
        columns={columns}
        rowKey={({ id }) => id}
        view={view}
        empty={<p className="vm-quiet">No version is kept yet: back it up now, or say when it is to be.</p>}
      />
      <Compare element={element} compared={compared} rows={rows} />
      <Jobs jobs={jobs} />
      {open && <Dialogs element={element} plan={plan} open={open} onClose={() => setOpen(undefined)} />}
    </div>
  );
}
