import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { vimBusDrop, vimBus, vimBusSet, vimWebhookDrop, vimWebhookMake } from "@/api/calls";
import { isStatus } from "@/api/http";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { Vim, VimBus, VimHost } from "@/api/types";
import { ConfirmDialog } from "@/forms/confirm";
import type { FieldSpec } from "@/records/fields";
import { RecordDialog } from "@/records/RecordDialog";
import { DataTable, type Column } from "@/table/DataTable";
import { ChangeButton } from "@/ui/ActionButton";
import { Copy } from "@/ui/Copy";
import { Facts } from "@/ui/Facts";
import { number } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { Pending } from "@/ui/Pending";
import { ProblemAlert } from "@/ui/Problem";
import { HOST_STATE, hostLook, listeningLook } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago, Since } from "@/ui/Time";

const QUESTIONS: Record<string, string> = {
  full: "Everything",
  servers: "Servers",
  ports: "Ports",
  hosts: "Hosts",
  stacks: "Stacks",
};

/** How often the cloud is looked at and why, and when it last answered which question. */
function Pace({ vim }: { vim: Vim }) {
  const { data: watch, error } = useQuery(q.vimWatch(vim.id));
  if (error && !watch) return <ProblemAlert error={error} level="h2" />;
  if (!watch) return <Pending>Asking the watcher…</Pending>;
  const { interval, lookedAt, changedAt, failures, questions } = watch;
  return (
    <Panel title="How it is watched">
      <Facts
        facts={[
          ["Pace", interval ? `every ${number(interval.seconds)} s: ${interval.message}` : "not looked at yet"],
          ["Last look", lookedAt ? <Ago key="look" at={lookedAt} /> : "never"],
          ["Last news", changedAt ? <Ago key="news" at={changedAt} /> : "none yet"],
          ["Failed looks", failures === 0 ? "none since the last good one" : `${failures} since the last good one`],
        ]}
      />
      <DataTable
        label="Questions to the cloud"
        name="questions"
        rows={questions}
        rowKey={({ name }) => name}
        columns={[
          { title: "Question", isName: true, cell: ({ name }) => QUESTIONS[name] ?? name },
          { title: "Answered", cell: ({ answeredAt }) => (answeredAt ? <Ago at={answeredAt} /> : "never") },
          { title: "Took", cell: ({ seconds }) => (seconds === null ? "—" : `${number(seconds)} s`) },
        ]}
      />
    </Panel>
  );
}

const BUS_FIELDS = (bus: VimBus): FieldSpec[] => [
  {
    ...{ kind: "secret", name: "transportUrl", label: "Transport URL", required: !bus.hasTransportUrl },
    help: bus.hasTransportUrl
      ? "Set. Empty keeps it."
      : "As in the services' configuration: rabbit://user:password@host:5672/vhost. Kept sealed.",
  },
  { kind: "lines", name: "exchanges", label: "Exchanges", help: "The control_exchange of each service to hear." },
  { kind: "text", name: "topic", label: "Topic" },
  {
    ...{ kind: "text", name: "queue", label: "Queue" },
    help: "Only where we may make none of our own: one that was made and bound for us alone.",
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
      title={`Notifications of ${vim.name}`}
      button="Save"
      lead="Without them the cloud is watched by looking alone."
      fields={BUS_FIELDS(opened)}
      initial={opened}
      isNew={!opened.hasTransportUrl}
      save={(input, on) => vimBusSet(vim.id, input, (on as VimBus).version)}
      reread={() => vimBus(vim.id)}
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
  if (!bus) return <Pending>Reading how it notifies…</Pending>;
  const { listening } = bus;
  return (
    <Panel
      title="Notifications of its services"
      actions={
        <span className="vm-buttons">
          <ChangeButton needs="admin" variant="secondary" size="sm" onClick={() => setOpen("set")}>
            {bus.hasTransportUrl ? "Change" : "Listen to its message bus"}
          </ChangeButton>
          {bus.hasTransportUrl && (
            <ChangeButton needs="admin" variant="secondary" size="sm" isDanger onClick={() => setOpen("drop")}>
              Listen no longer
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
              since <Since at={listening.lastTransitionTime} />
            </span>
          )}
        </span>
      </div>
      {bus.hasTransportUrl && (
        <Facts
          facts={[
            ["Transport URL", "set, kept sealed"],
            ["Exchanges", bus.exchanges.join(", ") || "—"],
            ["Topic", bus.topic || "—"],
            ["Queue", bus.queue || "one of our own"],
            ["Last news", bus.heardAt ? <Ago key="heard" at={bus.heardAt} /> : "none yet"],
          ]}
        />
      )}
      {open === "set" && <BusDialog vim={vim} bus={bus} onClose={refresh} />}
      {open === "drop" && (
        <ConfirmDialog
          title={`Listen no longer to ${vim.name}`}
          button="Listen no longer"
          run={() => vimBusDrop(vim.id)}
          onDone={refresh}
          onClose={refresh}
        >
          The URL is forgotten. The cloud is watched by looking, as before.
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
  const make = useMutation({ mutationFn: () => vimWebhookMake(vim.id), onSuccess: refresh });
  const title = "Alarms of its telemetry";
  if (isStatus(error, 403))
    return (
      <Panel title={title}>
        <p className="vm-quiet">Administrators see it.</p>
      </Panel>
    );
  if (error && !hook) return <ProblemAlert error={error} level="h2" />;
  if (!hook) return <Pending>Reading how telemetry calls…</Pending>;
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
            {hook.aodhUrl ? "Make another URL" : "Make a URL"}
          </ChangeButton>
          {hook.aodhUrl && (
            <ChangeButton needs="admin" variant="secondary" size="sm" isDanger onClick={() => setOpen("drop")}>
              Have none
            </ChangeButton>
          )}
        </span>
      }
    >
      {make.error && <ProblemAlert error={make.error} />}
      <Facts
        facts={[
          ["URL", hook.aodhUrl ? <Copy key="url" text={hook.aodhUrl} what="URL" /> : "none: telemetry cannot call us"],
          ...(hook.madeAt ? ([["Made", <Ago key="made" at={hook.madeAt} />]] as [string, React.ReactNode][]) : []),
          ["Last call", hook.calledAt ? <Ago key="called" at={hook.calledAt} /> : "none yet"],
        ]}
      />
      <p className="vm-quiet">
        Give it to Aodh or Ceilometer as alarm, OK and insufficient-data action. Whoever knows it can call it: keep it
        to yourself.
      </p>
      {open === "replace" && (
        <ConfirmDialog
          title="Make another URL"
          button="Make another URL"
          run={() => vimWebhookMake(vim.id)}
          onDone={done}
          onClose={() => setOpen(undefined)}
        >
          The present URL stops working at once: alarms in the cloud that call it have to be given the new one.
        </ConfirmDialog>
      )}
      {open === "drop" && (
        <ConfirmDialog
          title="Have no URL"
          button="Have none"
          run={() => vimWebhookDrop(vim.id)}
          onDone={done}
          onClose={() => setOpen(undefined)}
        >
          It stops working at once, and what was told by it is forgotten.
        </ConfirmDialog>
      )}
    </Panel>
  );
}

const HOSTS: Column<VimHost>[] = [
  { title: "Host", isName: true, sort: ({ name }) => name, cell: ({ name }) => name },
  { title: "Hypervisor", sort: ({ state }) => state, cell: ({ state }) => <StateLabel look={hostLook(state)} /> },
  {
    title: "nova-compute",
    sort: ({ service }) => service,
    cell: ({ service }) => <StateLabel look={hostLook(service)} />,
  },
  {
    title: "New servers",
    sort: ({ status }) => status,
    cell: ({ status, reason, forcedDown }) => (
      <>
        {HOST_STATE[status] ?? status}
        {forcedDown && <div className="vm-quiet">forced down</div>}
        {reason && <div className="vm-quiet">{reason}</div>}
      </>
    ),
  },
  { title: "Since", sort: ({ since }) => since, cell: ({ since }) => <Since at={since} /> },
  { title: "Seen", cell: ({ observedAt }) => (observedAt ? <Ago at={observedAt} /> : "—") },
];

function Hosts({ vim }: { vim: Vim }) {
  const { data: watch } = useQuery(q.vimWatch(vim.id));
  const { data: hosts, error } = useQuery(q.vimHosts(vim.id));
  if (error && !hosts) return <ProblemAlert error={error} level="h2" />;
  if (!hosts) return <Pending>Reading the hosts…</Pending>;
  return (
    <Panel title="Hosts" count={hosts.length}>
      {hosts.length > 0 ? (
        <DataTable label="Hosts" name="hosts" rows={hosts} columns={HOSTS} rowKey={({ name }) => name} />
      ) : (
        <p className="vm-quiet">
          {watch?.mayListHosts === false
            ? "Our rights do not let us see its hosts: that takes an administrator's role. Faults of hosts show as those of the VMs on them."
            : "None has been seen yet."}
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
