import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import CheckCircleIcon from "@patternfly/react-icons/dist/esm/icons/check-circle-icon";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { unclaimedRemove } from "@/api/calls";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { Unclaimed, Vim } from "@/api/types";
import { AdoptDialog } from "./AdoptDialog";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { DataTable, type Column } from "@/table/DataTable";
import { ActionButton, ChangeButton } from "@/ui/ActionButton";
import { Empty } from "@/ui/Empty";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert, ProblemBody } from "@/ui/Problem";
import { lookOf, REMOVAL } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago, Since } from "@/ui/Time";

function State({ row }: { row: Unclaimed }) {
  const { state, problem } = row.removal;
  return (
    <>
      {state === "NONE" ? row.status : <StateLabel look={lookOf(REMOVAL, state)} />}
      {problem && <ProblemBody problem={problem} />}
    </>
  );
}

const KIND: Column<Unclaimed> = { title: t`Kind`, sort: (row) => row.kind, cell: (row) => row.kind };
const COMMON: Column<Unclaimed>[] = [
  {
    title: t`Name`,
    isName: true,
    width: 30,
    sort: (row) => row.name,
    cell: (row) => (
      <>
        {row.name || "—"}
        <div className="vm-quiet vm-normal">
          <code>{row.resourceId}</code>
        </div>
      </>
    ),
  },
  KIND,
  { title: t`State`, cell: (row) => <State row={row} /> },
  { title: t`Reason`, width: 25, cell: (row) => row.detail },
  { title: t`First seen`, sort: (row) => row.firstSeenAt, cell: (row) => <Since at={row.firstSeenAt} /> },
  { title: t`Last seen`, sort: (row) => row.lastSeenAt, cell: (row) => <Ago at={row.lastSeenAt} /> },
];

function Adopt({ vim, row }: { vim: Vim; row: Unclaimed }) {
  const [open, setOpen] = useState(false);
  const enabled = row.adoptableBy.length > 0;
  return (
    <>
      <ActionButton
        action={{ action: "adopt", enabled, disabledReason: t`No package of the catalog matches its resources.` }}
        variant="secondary"
        size="sm"
        aria-label={t`Adopt ${row.name}`}
        onClick={() => setOpen(true)}
      >
        <Trans>Adopt</Trans>
      </ActionButton>
      {open && <AdoptDialog vim={vim} row={row} onClose={() => setOpen(false)} />}
    </>
  );
}

function RemoveDialog({ vim, row, onClose }: { vim: Vim; row: Unclaimed; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title={t`Remove the ${row.kind} ${row.name}`}
      button={t`Remove`}
      typed={{ name: row.name, label: t`Name of the ${row.kind}` }}
      run={() => unclaimedRemove(row.id, row.name)}
      onDone={() => {
        void client.invalidateQueries({ queryKey: keys.unclaimed(vim.id) });
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        <Trans>
          It is deleted from {vim.name} with all its contents. It has our tag, but belongs to no VNF instance:{" "}
          {row.detail}
        </Trans>
      </p>
    </ConfirmDialog>
  );
}

/**
 * The VNF manager created these, but no record claims them: they remain from a failed operation or a forgotten
 * instance.
 */
function Leftovers({ vim, rows }: { vim: Vim; rows: Unclaimed[] }) {
  const [removing, setRemoving] = useState<Unclaimed>();
  const columns: Column<Unclaimed>[] = [
    ...COMMON,
    {
      title: t`Action`,
      cell: (row) => (
        <span className="vm-buttons">
          {row.kind === "stack" && row.removal.state !== "REQUESTED" && <Adopt vim={vim} row={row} />}
          <ChangeButton
            variant="secondary"
            size="sm"
            isDanger
            whyNot={row.removal.state === "REQUESTED" ? t`It is being removed.` : undefined}
            aria-label={t`Remove ${row.name}`}
            onClick={() => setRemoving(row)}
          >
            <Trans>Remove</Trans>
          </ChangeButton>
        </span>
      ),
    },
  ];
  return (
    <Panel title={t`Leftovers`} count={rows.length}>
      <p className="vm-para">
        <Trans>
          They have our tag, but belong to no VNF instance. The stack of a forgotten instance can be adopted again.
        </Trans>
      </p>
      <DataTable label={t`Leftovers`} name="leftovers" rows={rows} columns={columns} rowKey={(row) => row.id} />
      {removing && <RemoveDialog vim={vim} row={removing} onClose={() => setRemoving(undefined)} />}
    </Panel>
  );
}

/** A foreign stack can be adopted if a package matches, but never deleted here. */
function Stacks({ vim, rows }: { vim: Vim; rows: Unclaimed[] }) {
  const columns: Column<Unclaimed>[] = [
    ...COMMON.filter((column) => column !== KIND),
    {
      title: t`Action`,
      cell: (row) => (
        <span className="vm-buttons">
          <Adopt vim={vim} row={row} />
        </span>
      ),
    },
  ];
  return (
    <Panel title={t`Unmanaged stacks`} count={rows.length}>
      <p className="vm-para">
        <Trans>A stack that is adopted with a package becomes a VNF instance, which can be scaled and healed.</Trans>
      </p>
      <DataTable
        label={t`Unmanaged stacks`}
        name="stacks"
        rows={rows}
        columns={columns}
        rowKey={(row) => row.id}
        searchText={(row) => `${row.name} ${row.resourceId}`}
        initialSort={{ column: 0, direction: "asc" }}
      />
    </Panel>
  );
}

export function UnclaimedTab({ vim }: { vim: Vim }) {
  const { data, error } = useQuery(q.unclaimed(vim.id));
  if (error && !data) return <ProblemAlert error={error} level="h2" />;
  if (!data)
    return (
      <LoadingNote>
        <Trans>Searching the cloud…</Trans>
      </LoadingNote>
    );
  const rows = data.filter((row) => row.removal.state !== "REMOVED");
  const ours = rows.filter((row) => row.ours);
  const stacks = rows.filter((row) => !row.ours && row.kind === "stack");
  if (ours.length + stacks.length === 0) {
    return (
      <Empty title={t`No unclaimed resources`} icon={CheckCircleIcon}>
        <Trans>
          All stacks of the project belong to VNF instances, and there are no leftovers. A stack of an instance that was
          just forgotten appears within two minutes.
        </Trans>
      </Empty>
    );
  }
  return (
    <div className="vm-stack">
      {ours.length > 0 && <Leftovers vim={vim} rows={ours} />}
      {stacks.length > 0 && <Stacks vim={vim} rows={stacks} />}
    </div>
  );
}
