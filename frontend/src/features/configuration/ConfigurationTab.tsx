import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
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
} from "@/api/callsConfiguration";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { ConfigurationJob, ConfigurationPlan, ConfigurationVersion, NetworkElement } from "@/api/types";
import type { FieldSpec } from "@/records/fields";
import { RecordDialog } from "@/records/RecordDialog";
import { DataTable } from "@/table/DataTable";
import { ServerTable, type ServerColumn } from "@/table/ServerTable";
import { useListView } from "@/ui/listView";
import { ActionButton, ChangeButton } from "@/ui/ActionButton";
import { bytes, period } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { Ago, Elapsed } from "@/ui/Time";
import { LANGUAGE } from "@/words/language";
import { ChangeDialog } from "./ChangeDialog";
import { CompareVersions, useCompared } from "./CompareVersions";
import { JobState, jobText } from "./JobState";

const REASONS: Record<ConfigurationVersion["reason"], string> = {
  REQUEST: t`on demand`,
  SCHEDULE: t`scheduled`,
  CHANGE: t`change reported by the element`,
  BEFORE_PUSH: t`before a push`,
  PUSH: t`after a push`,
  ROLLBACK: t`after a rollback`,
  ADMIN_STATE: t`after an admin state change`,
};

const PLAN_FIELDS: FieldSpec[] = [
  {
    kind: "number",
    name: "intervalSeconds",
    label: t`Interval (s)`,
    help: t`Between backups; empty: no scheduled backups.`,
  },
  { kind: "number", name: "keepVersions", label: t`Versions to keep`, required: true },
  { kind: "check", name: "onChange", label: t`On reported change` },
];

const AND = new Intl.ListFormat(LANGUAGE, { type: "conjunction" });

function planText({ intervalSeconds, onChange, keepVersions }: ConfigurationPlan): string {
  const when = [
    intervalSeconds === null ? "" : t`every ${period(intervalSeconds)}`,
    onChange ? t`when the element reports a change` : "",
  ].filter(Boolean);
  return when.length > 0
    ? t`Backed up ${AND.format(when)}; ${plural(keepVersions, { one: "# version is", other: "# versions are" })} kept.`
    : t`No automatic backups.`;
}

function Jobs({ jobs }: { jobs: readonly ConfigurationJob[] }) {
  if (jobs.length === 0) return null;
  return (
    <Panel title={t`Jobs`} count={jobs.length}>
      <DataTable
        label={t`Jobs`}
        name="jobs"
        rows={jobs.slice(0, 20)}
        rowKey={({ id }) => id}
        columns={[
          { title: t`Job`, isName: true, cell: jobText },
          { title: t`State`, width: 40, cell: (job) => <JobState job={job} isInList /> },
          { title: t`By`, cell: ({ by }) => by || t`the VNF manager` },
          { title: t`Requested`, cell: ({ createdAt }) => <Ago at={createdAt} /> },
          {
            title: t`Duration`,
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
        title={t`Backup schedule of ${element.name}`}
        button={t`Save`}
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
        title={t`Push configuration to ${element.name}`}
        lead={t`The lines are merged into the configuration and saved. The current configuration is saved as a version.`}
        button={t`Push`}
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
      title={t`Roll ${element.name} back to version ${version.number}`}
      lead={t`That version becomes the running configuration. The current configuration is saved as a version.`}
      button={t`Roll back`}
      ask={(_text, dryRun) => configurationRollback(element.id, { versionId: version.id, dryRun })}
      onClose={onClose}
    />
  );
}

export function ConfigurationTab({ element }: { element: NetworkElement }) {
  const client = useQueryClient();
  const view = useListView();
  const { data: plan, error } = useQuery(q.configurationPlan(element.id));
  const versions = useQuery(q.configurationVersions(element.id, view.paging));
  const { data: jobs = [] } = useQuery(q.configurationJobs(element.id));
  const [open, setOpen] = useState<Open>();
  const compared = useCompared();
  const backup = useMutation({
    mutationFn: () => configurationBackup(element.id),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.configurationJobs }),
  });
  if (error && !plan) return <ProblemAlert error={error} level="h2" />;
  if (!plan)
    return (
      <LoadingNote>
        <Trans>Loading the versions…</Trans>
      </LoadingNote>
    );
  const whyNot = (element.netconfPolicyId ?? element.sshPolicyId) ? "" : t`It has no NETCONF or SSH policy.`;
  const action = { action: "configure", enabled: whyNot === "", disabledReason: whyNot };
  const rows = versions.data?.rows ?? [];
  const columns: ServerColumn<ConfigurationVersion>[] = [
    { title: t`Version`, isName: true, cell: ({ number }) => number },
    { title: t`Backed up`, cell: ({ takenAt }) => <Ago at={takenAt} /> },
    { title: t`Last unchanged`, cell: ({ confirmedAt }) => <Ago at={confirmedAt} /> },
    { title: t`Reason`, cell: ({ reason, by }) => [REASONS[reason], by].filter(Boolean).join(", ") },
    {
      title: t`Size`,
      cell: ({ lines, size }) => [plural(lines, { one: "# line", other: "# lines" }), bytes(size)].join(", "),
    },
    {
      title: t`Actions`,
      cell: (version) => {
        const before = rows[rows.indexOf(version) + 1];
        const named = { size: "sm", variant: "secondary" } as const;
        return (
          <span className="vm-buttons">
            <Button
              {...named}
              aria-label={t`Show version ${version.number}`}
              onClick={() => compared.show(version.id, "")}
            >
              <Trans>Show</Trans>
            </Button>
            {before && (
              <Button
                {...named}
                aria-label={t`Compare with ${before.number}: version ${version.number}`}
                onClick={() => compared.show(version.id, before.id)}
              >
                <Trans>Compare with {before.number}</Trans>
              </Button>
            )}
            <Button
              variant="plain"
              size="sm"
              component="a"
              href={configurationTextHref(element.id, version.id)}
              download
              aria-label={t`Download version ${version.number}`}
              icon={<DownloadIcon />}
            />
            <ActionButton
              {...named}
              action={action}
              aria-label={t`Roll back to version ${version.number}`}
              onClick={() => setOpen({ rollback: version })}
            >
              <Trans>Roll back</Trans>
            </ActionButton>
          </span>
        );
      },
    },
  ];
  return (
    <div className="vm-stack">
      <div className="vm-list-head">
        <p className="vm-quiet">
          {planText(plan)} {rows.length > 0 && <Trans>Passwords, keys and communities are masked.</Trans>}
        </p>
        <span className="vm-buttons">
          <ActionButton
            action={action}
            variant="secondary"
            isLoading={backup.isPending}
            onClick={() => backup.mutate()}
          >
            <Trans>Back up now</Trans>
          </ActionButton>
          <ActionButton action={action} variant="secondary" onClick={() => setOpen("push")}>
            <Trans>Push configuration</Trans>
          </ActionButton>
          <ChangeButton variant="secondary" onClick={() => setOpen("plan")}>
            <Trans>Backup schedule</Trans>
          </ChangeButton>
        </span>
      </div>
      {backup.isError && <ProblemAlert error={backup.error} level="h2" />}
      <ServerTable
        label={t`Versions`}
        counted={(rows) => plural(rows, { one: "# version", other: "# versions" })}
        page={versions}
        columns={columns}
        rowKey={({ id }) => id}
        view={view}
        empty={
          <p className="vm-quiet">
            <Trans>No versions yet.</Trans>
          </p>
        }
      />
      <CompareVersions element={element} compared={compared} rows={rows} />
      <Jobs jobs={jobs} />
      {open && <Dialogs element={element} plan={plan} open={open} onClose={() => setOpen(undefined)} />}
    </div>
  );
}
