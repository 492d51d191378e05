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

/** How often the cloud is looked at and why, and when it last answered which question. */
function Pace({ vim }: { vim: Vim }) {
  const { data: watch, error } = useQuery(q.vimWatch(vim.id));
  if (error && !watch) return <ProblemAlert error={error} level="h2" />;
  if (!watch)
    return (
      <LoadingNote>
        <Trans>Asking the watcher…</Trans>
      </LoadingNote>
    );
  const { interval, lookedAt, changedAt, failures, questions } = watch;
  return (
    <Panel title={t`How it is watched`}>
      <Facts
        facts={[
          [t`Pace`, interval ? t`every ${number(interval.seconds)} s: ${interval.message}` : t`not looked at yet`],
          [t`Last look`, lookedAt ? <Ago key="look" at={lookedAt} /> : t`never`],
          [t`Last news`, changedAt ? <Ago key="news" at={changedAt} /> : t`none yet`],
          [t`Failed looks`, failures === 0 ? t`none since the last good one` : t`${failures} since the last good one`],
        ]}
      />
      <DataTable
        label={t`Questions to the cloud`}
        name="questions"
        rows={questions}
        rowKey={({ name }) => name}
        columns={[
          { title: t`Question`, isName: true, cell: ({ name }) => QUESTIONS[name] ?? name },
          { title: t`Answered`, cell: ({ answeredAt }) => (answeredAt ? <Ago at={answeredAt} /> : t`never`) },
          { title: t`Took`, cell: ({ seconds }) => (seconds === null ? "—" : `${number(seconds)} s`) },
        ]}
      />
    </Panel>
  );
}

const BUS_FIELDS = (bus: VimBus): FieldSpec[] => [
  {
    ...{ kind: "secret", name: "transportUrl", label: t`Transport URL`, required: !bus.hasTransportUrl },
    help: bus.hasTransportUrl
      ? t`Set. Empty keeps it.`
      : t`As in the services' configuration: rabbit://user:password@host:5672/vhost. Kept sealed.`,
  },
  { kind: "lines", name: "exchanges", label: t`Exchanges`, help: t`The control_exchange of each service to hear.` },
  { kind: "text", name: "topic", label: t`Topic` },
  {
    ...{ kind: "text", name: "queue", label: t`Queue` },
    help: t`Only where we may make none of our own: one that was made and bound for us alone.`,
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
      lead={t`Without them the cloud is watched by looking alone.`}
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

/** Notifications of the cloud's services, which ring the bell before the next look is due. */
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
        <Trans>Reading how it notifies…</Trans>
      </LoadingNote>
    );
  const { listening } = bus;
  return (
    <Panel
      title={t`Notifications of its services`}
      actions={
        <span className="vm-buttons">
          <ChangeButton needs="admin" variant="secondary" size="sm" onClick={() => setOpen("set")}>
            {bus.hasTransportUrl ? t`Change` : t`Listen to its message bus`}
          </ChangeButton>
          {bus.hasTransportUrl && (
            <ChangeButton needs="admin" variant="secondary" size="sm" isDanger onClick={() => setOpen("drop")}>
              <Trans>Listen no longer</Trans>
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
            [t`Transport URL`, t`set, kept sealed`],
            [t`Exchanges`, bus.exchanges.join(", ") || "—"],
            [t`Topic`, bus.topic || "—"],
            [t`Queue`, bus.queue || t`one of our own`],
            [t`Last news`, bus.heardAt ? <Ago key="heard" at={bus.heardAt} /> : t`none yet`],
          ]}
        />
      )}
      {open === "set" && <BusDialog vim={vim} bus={bus} onClose={refresh} />}
      {open === "drop" && (
        <ConfirmDialog
          title={t`Listen no longer to ${vim.name}`}
          button={t`Listen no longer`}
          run={() => vimNotificationsDelete(vim.id)}
          onDone={refresh}
          onClose={refresh}
        >
          <Trans>The URL is forgotten. The cloud is watched by looking, as before.</Trans>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

/** The URL that alarms of the cloud's telemetry are to call. */
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
  const title = t`Alarms of its telemetry`;
  if (isStatus(error, 403))
    return (
      <Panel title={title}>
        <p className="vm-quiet">
          <Trans>Administrators see it.</Trans>
        </p>
      </Panel>
    );
  if (error && !hook) return <ProblemAlert error={error} level="h2" />;
  if (!hook)
    return (
      <LoadingNote>
        <Trans>Reading how telemetry calls…</Trans>
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
            {hook.aodhUrl ? t`Make another URL` : t`Make a URL`}
          </ChangeButton>
          {hook.aodhUrl && (
            <ChangeButton needs="admin" variant="secondary" size="sm" isDanger onClick={() => setOpen("drop")}>
              <Trans>Have none</Trans>
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
              t`none: telemetry cannot call us`
            ),
          ],
          ...(hook.madeAt ? ([[t`Made`, <Ago key="made" at={hook.madeAt} />]] as [string, React.ReactNode][]) : []),
          [t`Last call`, hook.calledAt ? <Ago key="called" at={hook.calledAt} /> : t`none yet`],
        ]}
      />
      <p className="vm-quiet">
        <Trans>
          Give it to Aodh or Ceilometer as alarm, OK and insufficient-data action. Whoever knows it can call it: keep it
          to yourself.
        </Trans>
      </p>
      {open === "replace" && (
        <ConfirmDialog
          title={t`Make another URL`}
          button={t`Make another URL`}
          run={() => vimWebhookCreate(vim.id)}
          onDone={done}
          onClose={() => setOpen(undefined)}
        >
          <Trans>
            The present URL stops working at once: alarms in the cloud that call it have to be given the new one.
          </Trans>
        </ConfirmDialog>
      )}
      {open === "drop" && (
        <ConfirmDialog
          title={t`Have no URL`}
          button={t`Have none`}
          run={() => vimWebhookDelete(vim.id)}
          onDone={done}
          onClose={() => setOpen(undefined)}
        >
          <Trans>It stops working at once, and what was told by it is forgotten.</Trans>
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
  { title: t`Seen`, cell: ({ observedAt }) => (observedAt ? <Ago at={observedAt} /> : "—") },
];

function Hosts({ vim }: { vim: Vim }) {
  const { data: watch } = useQuery(q.vimWatch(vim.id));
  const { data: hosts, error } = useQuery(q.vimHosts(vim.id));
  if (error && !hosts) return <ProblemAlert error={error} level="h2" />;
  if (!hosts)
    return (
      <LoadingNote>
        <Trans>Reading the hosts…</Trans>
      </LoadingNote>
    );
  return (
    <Panel title={t`Hosts`} count={hosts.length}>
      {hosts.length > 0 ? (
        <DataTable label={t`Hosts`} name="hosts" rows={hosts} columns={HOSTS} rowKey={({ name }) => name} />
      ) : (
        <p className="vm-quiet">
          {watch?.mayListHosts === false
            ? t`Our rights do not let us see its hosts: that takes an administrator's role. Faults of hosts show as those of the VMs on them.`
            : t`None has been seen yet.`}
        </p>
      )}
    </Panel>
  );
}

/** How the watcher sees a cloud. */
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
