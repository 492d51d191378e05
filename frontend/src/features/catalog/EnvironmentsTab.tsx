import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Modal, ModalBody, ModalHeader } from "@patternfly/react-core";
import FolderIcon from "@patternfly/react-icons/dist/esm/icons/folder-icon";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { environmentDelete, environmentHotHref, environmentList, environmentUpdate } from "@/api/callsEnvironments";
import { ProblemError } from "@/api/problem";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { Environment, Vnfd } from "@/api/types";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { environmentsOf } from "@/features/instantiate/origin";
import { pb } from "@/paths";
import { RecordDialog } from "@/records/RecordDialog";
import { DataTable, type Column } from "@/table/DataTable";
import { ChangeButton } from "@/ui/ActionButton";
import { Empty } from "@/ui/Empty";
import { valueText } from "@/ui/format";
import { LinkButton } from "@/ui/LinkButton";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { Ago } from "@/ui/Time";
import { ImportEnvironment } from "./ImportEnvironment";
import { PlainTable } from "@/ui/PlainTable";

const sizeOf = ({ flavourId, instantiationLevelId, targetScaleLevelInfo }: Environment): string =>
  [
    flavourId,
    instantiationLevelId || t`default level`,
    ...targetScaleLevelInfo.map(({ aspectId, scaleLevel }) => `${aspectId} ${scaleLevel}`),
  ].join(", ");

type Open = { kind: "show" | "edit" | "delete"; environment: Environment } | { kind: "import" };

function Cloud({ environment }: { environment: Environment }) {
  const { data: vims } = useQuery(q.vims());
  if (environment.vimId === null)
    return (
      <>
        <Trans>any</Trans>
      </>
    );
  const present = vims?.find(({ id }) => id === environment.vimId);
  return (
    <>{present || !vims ? (present?.name ?? environment.vimName) : t`${environment.vimName}, no longer registered`}</>
  );
}

function Show({ environment, vnfd, onClose }: { environment: Environment; vnfd: Vnfd; onClose: () => void }) {
  const id = useId();
  const labels = new Map(vnfd.settings.map(({ name, label }) => [name, label]));
  return (
    <Modal isOpen variant="medium" onClose={onClose} aria-labelledby={id}>
      <ModalHeader
        title={t`Settings of ${environment.name}`}
        labelId={id}
        description={t`Size: ${sizeOf(environment)}.`}
      />
      <ModalBody>
        <PlainTable
          label={t`Settings`}
          head={[t`Setting`, t`Parameter`, t`Value`]}
          rows={Object.entries(environment.additionalParams).map(([name, value]) => ({
            key: name,
            cells: [labels.get(name) ?? "—", <code>{name}</code>, <code>{valueText(value)}</code>],
          }))}
        />
      </ModalBody>
    </Modal>
  );
}

function Edit({ environment, onClose }: { environment: Environment; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <RecordDialog
      title={t`Edit ${environment.name}`}
      button={t`Save`}
      lead={t`Its settings cannot be changed; save another environment instead.`}
      fields={[
        { kind: "text", name: "name", label: t`Name`, required: true },
        { kind: "area", name: "description", label: t`Description` },
      ]}
      initial={environment}
      isNew={false}
      save={(input, on) =>
        environmentUpdate(environment.id, input as { name: string; description: string }, (on as Environment).version)
      }
      reread={async () => {
        const found = (await environmentList()).find(({ id }) => id === environment.id);
        if (found) return found;
        const detail = t`Another user has deleted it. Your input is kept.`;
        throw new ProblemError({ status: 404, title: t`This environment no longer exists`, detail });
      }}
      onSaved={() => {
        void client.invalidateQueries({ queryKey: keys.environments });
        onClose();
      }}
      onClose={onClose}
    />
  );
}

function Delete({ environment, onClose }: { environment: Environment; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title={t`Delete ${environment.name}`}
      button={t`Delete`}
      run={() => environmentDelete(environment.id, environment.version)}
      onDone={async () => {
        await client.invalidateQueries({ queryKey: keys.environments });
        onClose();
      }}
      onClose={() => {
        void client.invalidateQueries({ queryKey: keys.environments });
        onClose();
      }}
    >
      <Trans>Instances started from it keep their settings.</Trans>
    </ConfirmDialog>
  );
}

interface RowProps {
  row: Environment;
  vnfd: Vnfd;
  /** The package can be instantiated. */
  enabled: boolean;
  onOpen: (open: Open) => void;
}

function RowActions({ row, vnfd, enabled, onOpen }: RowProps) {
  const button = { variant: "secondary", size: "sm" } as const;
  return (
    <span className="vm-buttons">
      <Button
        {...button}
        aria-label={t`Show the settings of ${row.name}`}
        onClick={() => onOpen({ kind: "show", environment: row })}
      >
        <Trans>Show</Trans>
      </Button>
      {enabled && (
        <LinkButton
          {...button}
          to={pb.instantiateWith(vnfd.vnfdId, row.id)}
          aria-label={t`Instantiate with ${row.name}`}
        >
          <Trans>Instantiate</Trans>
        </LinkButton>
      )}
      <Button {...button} component="a" href={environmentHotHref(row.id)} download aria-label={t`Download ${row.name}`}>
        <Trans>Download</Trans>
      </Button>
      <ChangeButton
        {...button}
        aria-label={t`Edit ${row.name}`}
        onClick={() => onOpen({ kind: "edit", environment: row })}
      >
        <Trans>Edit</Trans>
      </ChangeButton>
      <ChangeButton
        {...button}
        isDanger
        aria-label={t`Delete ${row.name}`}
        onClick={() => onOpen({ kind: "delete", environment: row })}
      >
        <Trans>Delete</Trans>
      </ChangeButton>
    </span>
  );
}

const columnsOf = (vnfd: Vnfd): Column<Environment>[] => [
  { title: t`Name`, isName: true, sort: ({ name }) => name, cell: ({ name }) => name },
  { title: t`Description`, cell: ({ description }) => description || "—" },
  { title: t`Cloud`, cell: (row) => <Cloud environment={row} /> },
  { title: t`Size`, cell: sizeOf },
  {
    title: t`Settings`,
    cell: ({ additionalParams }) =>
      plural(Object.keys(additionalParams).length, { one: "# setting", other: "# settings" }),
  },
  {
    title: t`Version`,
    sort: ({ vnfSoftwareVersion }) => vnfSoftwareVersion,
    cell: (row) => (row.vnfdId === vnfd.vnfdId ? t`this one` : t`${row.vnfSoftwareVersion} (VNFD ${row.vnfdVersion})`),
  },
  {
    title: t`Changed`,
    sort: ({ changedAt }) => changedAt,
    cell: ({ changedAt, changedBy }) =>
      changedBy ? (
        <Trans>
          <Ago at={changedAt} /> by {changedBy}
        </Trans>
      ) : (
        <Ago at={changedAt} />
      ),
  },
];

export function EnvironmentsTab({ vnfd, enabled }: { vnfd: Vnfd; enabled: boolean }) {
  const { data, error } = useQuery(q.environments());
  const [open, setOpen] = useState<Open>();
  if (error && !data) return <ProblemAlert error={error} level="h2" />;
  if (!data)
    return (
      <LoadingNote>
        <Trans>Loading the environments…</Trans>
      </LoadingNote>
    );
  const rows = environmentsOf(data, vnfd);
  const importing = (
    <ChangeButton variant="secondary" onClick={() => setOpen({ kind: "import" })}>
      <Trans>Import a HOT environment</Trans>
    </ChangeButton>
  );
  const cell = (row: Environment) => <RowActions row={row} vnfd={vnfd} enabled={enabled} onOpen={setOpen} />;
  const close = () => setOpen(undefined);
  return (
    <section aria-label={t`Environments`}>
      {rows.length === 0 ? (
        <Empty title={t`No environments yet`} icon={FolderIcon} action={importing}>
          <Trans>An environment is a named set of instance settings. Save one in the wizard or from an instance.</Trans>
        </Empty>
      ) : (
        <>
          <div className="vm-list-head">
            <p className="vm-quiet">
              <Trans>Named settings to start instances from. They contain no secrets.</Trans>
            </p>
            {importing}
          </div>
          <DataTable
            label={t`Environments`}
            name="environments"
            rows={rows}
            columns={[...columnsOf(vnfd), { title: t`Actions`, cell }]}
            rowKey={({ id }) => id}
            searchText={({ name, description }) => `${name} ${description}`}
            initialSort={{ column: 0, direction: "asc" }}
          />
        </>
      )}
      {open?.kind === "show" && <Show environment={open.environment} vnfd={vnfd} onClose={close} />}
      {open?.kind === "edit" && <Edit environment={open.environment} onClose={close} />}
      {open?.kind === "delete" && <Delete environment={open.environment} onClose={close} />}
      {open?.kind === "import" && <ImportEnvironment vnfd={vnfd} onClose={close} />}
    </section>
  );
}
