import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  vimNotificationsDelete,
  vimNotifications,
  vimNotificationsSet,
  vimWebhookDelete,
  vimWebhookCreate,
} from "@/api/calls";
import { isStatus } from "@/api/http";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { Vim, VimBus, VimHost } from "@/api/types";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import type { FieldSpec } from "@/records/fields";
import { RecordDialog } from "@/records/RecordDialog";
import { DataTable, type Column } from "@/table/DataTable";
import { ChangeButton } from "@/ui/ActionButton";
import { Copy } from "@/ui/Copy";
import { Facts } from "@/ui/Facts";
import { number } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { HOST_STATE, hostLook, listeningLook } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago, Since } from "@/ui/Time";

const QUESTIONS: Record<string, string> = {
  full: t`Everything`,
  servers: t`Servers`,
  ports: t`Ports`,
  hosts: t`Hosts`,
  stacks: t`Stacks`,
};

function Pace({ vim }: { vim: Vim }) {
  const { data: watch, error } = useQuery(q.vimWatch(vim.id));
  if (error && !watch) return <ProblemAlert error={error} level="h2" />;
  if (!watch)
    return (
      <LoadingNote>
        <Trans>Loading the poll status…</Trans>
      </LoadingNote>
    );
  const { interval, lookedAt, changedAt, failures, questions } = watch;
  return (
    <Panel title={t`Monitoring`}>
      <Facts
        facts={[
          [
            t`Poll interval`,
            interval ? t`every ${number(interval.seconds)} s: ${interval.message}` : t`not polled yet`,
          ],
          [t`Last poll`, lookedAt ? <Ago key="look" at={lookedAt} /> : t`never`],
          [t`Last notification`, changedAt ? <Ago key="news" at={changedAt} /> : t`none yet`],
          [
            t`Failed polls`,
            failures === 0 ? t`none since the last successful one` : t`${failures} since the last successful one`,
          ],
        ]}
      />
      <DataTable
        label={t`Polling`}
        name="questions"
        rows={questions}
        rowKey={({ name }) => name}
        columns={[
          { title: t`Request`, isName: true, cell: ({ name }) => QUESTIONS[name] ?? name },
          { title: t`Succeeded`, cell: ({ answeredAt }) => (answeredAt ? <Ago at={answeredAt} /> : t`never`) },
          { title: t`Duration`, cell: ({ seconds }) => (seconds === null ? "—" : `${number(seconds)} s`) },
        ]}
      />
    </Panel>
  );
}

const BUS_FIELDS = (bus: VimBus): FieldSpec[] => [
  {
    ...{ kind: "secret", name: "transportUrl", label: t`Transport URL`, required: !bus.hasTransportUrl },
    help: bus.hasTransportUrl
      ? t`Set. Empty: unchanged.`
      : t`As in the services' configuration: rabbit://user:password@host:5672/vhost. Stored encrypted.`,
  },
  { kind: "lines", name: "exchanges", label: t`Exchanges`, help: t`The control_exchange of each service.` },
  { kind: "text", name: "topic", label: t`Topic` },
  {
    ...{ kind: "text", name: "queue", label: t`Queue` },
    help: t`Only if the VNF manager is not allowed to create its own: a queue that is bound for it alone.`,
  },
];

interface BusDialogProps {
  vim: Vim;
  bus: VimBus;
  onClose: () => void;
}

function BusDialog({ vim, bus, onClose }: BusDialogProps) {
  const [opened] = useState(bus);
  return (
    <RecordDialog
      title={t`Notifications of ${vim.name}`}
      button={t`Save`}
      lead={t`Without notifications the cloud is monitored by polling alone.`}
      fields={BUS_FIELDS(opened)}
      initial={opened}
      isNew={!opened.hasTransportUrl}
      save={(input, on) => vimNotificationsSet(vim.id, input, (on as VimBus).version)}
      reread={() => vimNotifications(vim.id)}
      onSaved={onClose}
      onClose={onClose}
    />
  );
}

/** A notification triggers a poll before the next one is due. */
function Bus({ vim }: { vim: Vim }) {
  const client = useQueryClient();
  const { data: bus, error } = useQuery(q.vimBus(vim.id));
  const [open, setOpen] = useState<"set" | "drop">();
  const refresh = () => {
    void client.invalidateQueries({ queryKey: keys.vimBus(vim.id) });
    setOpen(undefined);
  };
  if (error && !bus) return <ProblemAlert error={error} level="h2" />;
  if (!bus)
    return (
      <LoadingNote>
        <Trans>Loading the notification settings…</Trans>
      </LoadingNote>
    );
  const { listening } = bus;
  return (
    <Panel
      title={t`Service notifications`}
      actions={
        <span className="vm-buttons">
          <ChangeButton needs="admin" variant="secondary" size="sm" onClick={() => setOpen("set")}>
            {bus.hasTransportUrl ? t`Change` : t`Listen to its message bus`}
          </ChangeButton>
          {bus.hasTransportUrl && (
            <ChangeButton needs="admin" variant="secondary" size="sm" isDanger onClick={() => setOpen("drop")}>
              <Trans>Stop listening</Trans>
            </ChangeButton>
          )}
        </span>
      }
    >
      <div className="vm-condition">
        <span>
          <StateLabel look={bus.hasTransportUrl ? listeningLook(listening.status) : listeningLook("off")} />
        </span>
        <span className="vm-condition-text">
          {listening.message}{" "}
          {listening.lastTransitionTime && (
            <span className="vm-quiet">
              <Trans>
                since <Since at={listening.lastTransitionTime} />
              </Trans>
            </span>
          )}
        </span>
      </div>
      {bus.hasTransportUrl && (
        <Facts
          facts={[
            [t`Transport URL`, t`set, encrypted`],
            [t`Exchanges`, bus.exchanges.join(", ") || "—"],
            [t`Topic`, bus.topic || "—"],
            [t`Queue`, bus.queue || t`created automatically`],
            [t`Last notification`, bus.heardAt ? <Ago key="heard" at={bus.heardAt} /> : t`none yet`],
          ]}
        />
      )}
      {open === "set" && <BusDialog vim={vim} bus={bus} onClose={refresh} />}
      {open === "drop" && (
        <ConfirmDialog
          title={t`Stop listening to ${vim.name}`}
          button={t`Stop listening`}
          run={() => vimNotificationsDelete(vim.id)}
          onDone={refresh}
          onClose={refresh}
        >
          <Trans>The URL is deleted. The cloud is still monitored by polling.</Trans>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

/** The cloud's telemetry service calls this URL. */
function Webhook({ vim }: { vim: Vim }) {
  const client = useQueryClient();
  const { data: hook, error } = useQuery({
    ...q.vimWebhook(vim.id),
    enabled: ({ state }) => !isStatus(state.error, 403),
  });
  const [open, setOpen] = useState<"replace" | "drop">();
  const refresh = () => client.invalidateQueries({ queryKey: keys.vimWebhook(vim.id) });
  const done = () => {
    setOpen(undefined);
    void refresh();
  };
  const make = useMutation({ mutationFn: () => vimWebhookCreate(vim.id), onSuccess: refresh });
  const title = t`Telemetry webhook`;
  if (isStatus(error, 403))
    return (
      <Panel title={title}>
        <p className="vm-quiet">
          <Trans>Visible to administrators.</Trans>
        </p>
      </Panel>
    );
  if (error && !hook) return <ProblemAlert error={error} level="h2" />;
  if (!hook)
    return (
      <LoadingNote>
        <Trans>Loading the webhook…</Trans>
      </LoadingNote>
    );
  return (
    <Panel
      title={title}
      actions={
        <span className="vm-buttons">
          <ChangeButton
            needs="admin"
            variant="secondary"
            size="sm"
            isLoading={make.isPending}
            onClick={() => (hook.aodhUrl ? setOpen("replace") : make.mutate())}
          >
            {hook.aodhUrl ? t`Replace the URL` : t`Create a URL`}
          </ChangeButton>
          {hook.aodhUrl && (
            <ChangeButton needs="admin" variant="secondary" size="sm" isDanger onClick={() => setOpen("drop")}>
              <Trans>Delete the URL</Trans>
            </ChangeButton>
          )}
        </span>
      }
    >
      {make.error && <ProblemAlert error={make.error} />}
      <Facts
        facts={[
          [
            "URL",
            hook.aodhUrl ? (
              <Copy key="url" text={hook.aodhUrl} label={t`Copy the URL`} />
            ) : (
              t`none: telemetry cannot call the VNF manager`
            ),
          ],
          ...(hook.madeAt ? ([[t`Created`, <Ago key="made" at={hook.madeAt} />]] as [string, React.ReactNode][]) : []),
          [t`Last call`, hook.calledAt ? <Ago key="called" at={hook.calledAt} /> : t`none yet`],
        ]}
      />
      <p className="vm-quiet">
        <Trans>
          Set it as alarm, OK and insufficient-data action in Aodh or Ceilometer. Keep it secret: it needs no other
          credentials.
        </Trans>
      </p>
      {open === "replace" && (
        <ConfirmDialog
          title={t`Replace the URL`}
          button={t`Replace the URL`}
          run={() => vimWebhookCreate(vim.id)}
          onDone={done}
          onClose={() => setOpen(undefined)}
        >
          <Trans>The current URL stops working at once: update the alarms in the cloud that call it.</Trans>
        </ConfirmDialog>
      )}
      {open === "drop" && (
        <ConfirmDialog
          title={t`Delete the URL`}
          button={t`Delete the URL`}
          run={() => vimWebhookDelete(vim.id)}
          onDone={done}
          onClose={() => setOpen(undefined)}
        >
          <Trans>It stops working at once, and alarms received by it are discarded.</Trans>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

const HOSTS: Column<VimHost>[] = [
  { title: t`Host`, isName: true, sort: ({ name }) => name, cell: ({ name }) => name },
  { title: t`Hypervisor`, sort: ({ state }) => state, cell: ({ state }) => <StateLabel look={hostLook(state)} /> },
  {
    title: "nova-compute",
    sort: ({ service }) => service,
    cell: ({ service }) => <StateLabel look={hostLook(service)} />,
  },
  {
    title: t`New servers`,
    sort: ({ status }) => status,
    cell: ({ status, reason, forcedDown }) => (
      <>
        {HOST_STATE[status] ?? status}
        {forcedDown && (
          <div className="vm-quiet">
            <Trans>forced down</Trans>
          </div>
        )}
        {reason && <div className="vm-quiet">{reason}</div>}
      </>
    ),
  },
  { title: t`Since`, sort: ({ since }) => since, cell: ({ since }) => <Since at={since} /> },
  { title: t`Observed`, cell: ({ observedAt }) => (observedAt ? <Ago at={observedAt} /> : "—") },
];

function Hosts({ vim }: { vim: Vim }) {
  const { data: watch } = useQuery(q.vimWatch(vim.id));
  const { data: hosts, error } = useQuery(q.vimHosts(vim.id));
  if (error && !hosts) return <ProblemAlert error={error} level="h2" />;
  if (!hosts)
    return (
      <LoadingNote>
        <Trans>Loading the hosts…</Trans>
      </LoadingNote>
    );
  return (
    <Panel title={t`Hosts`} count={hosts.length}>
      {hosts.length > 0 ? (
        <DataTable label={t`Hosts`} name="hosts" rows={hosts} columns={HOSTS} rowKey={({ name }) => name} />
      ) : (
        <p className="vm-quiet">
          {watch?.mayListHosts === false
            ? t`The credentials do not allow to read hosts; that takes an administrator's role. Faults of hosts appear as faults of the VMs on them.`
            : t`No hosts observed yet.`}
        </p>
      )}
    </Panel>
  );
}

export function WatchTab({ vim }: { vim: Vim }) {
  return (
    <div className="vm-stack">
      <div className="vm-columns">
        <Pace vim={vim} />
        <div className="vm-stack">
          <Bus vim={vim} />
          <Webhook vim={vim} />
        </div>
      </div>
      <Hosts vim={vim} />
    </div>
  );
}
