import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Popover } from "@patternfly/react-core";
import QuestionCircleIcon from "@patternfly/react-icons/dist/esm/icons/outlined-question-circle-icon";
import PlusCircleIcon from "@patternfly/react-icons/dist/esm/icons/plus-circle-icon";
import { useQueryClient, type QueryKey, type UseQueryResult } from "@tanstack/react-query";
import { useState, type ComponentType, type ReactNode } from "react";
import { ProblemError } from "@/api/problem";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { DataTable, type Column } from "@/table/DataTable";
import { ChangeButton } from "@/ui/ActionButton";
import { Empty } from "@/ui/Empty";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import type { Role } from "@/ui/rights";
import type { Draft, FieldSpec } from "./fields";
import { RecordDialog } from "./RecordDialog";

interface Stored {
  id: string;
  version: number;
}

export interface RecordKind<Row extends Stored> {
  /** "Sites" */
  many: string;
  /** The name of the list in the address. */
  name: string;
  /** "Add a site" */
  toAdd: string;
  /** "No site yet" */
  noneYet: string;
  /** "There is no such site any more" */
  isGone: string;
  nameOf: (row: Row) => string;
  lead: string;
  /** The role that may add, change and remove a record, if an operator may not. */
  needs?: Role;
  icon: ComponentType;
  /** Text of an empty list. */
  empty: string;
  /** A hook that reads the list, and the key of its query. */
  useList: () => UseQueryResult<Row[]>;
  queryKey: QueryKey;
  /** Without this, all rows are shown. */
  select?: (row: Row) => boolean;
  columns: readonly Column<Row>[];
  /** `row` is undefined for a new record. */
  fields: (row: Row | undefined) => readonly FieldSpec[];
  fresh: object;
  create: (input: Record<string, unknown>) => Promise<unknown>;
  /** Values of a new record that follow from others, for fields that have not been touched. */
  presets?: (draft: Draft) => Draft;
  update: (row: Row, input: Record<string, unknown>) => Promise<unknown>;
  /** Without this, records cannot be removed. */
  remove?: (row: Row) => Promise<unknown>;
  /** Says in the dialog what deleting a record means. */
  removal?: string;
  /** Replaces "Delete" on the button and in the title. */
  removeWords?: { button: string; of: (name: string) => string };
  /** A row that cannot be changed or removed any more. */
  isFixed?: (row: Row) => boolean;
  actions?: (row: Row) => ReactNode;
}

export function Records<Row extends Stored>({ kind }: { kind: RecordKind<Row> }) {
  const client = useQueryClient();
  const list = kind.useList();
  const [editing, setEditing] = useState<Row | "new">();
  const [removing, setRemoving] = useState<Row>();
  const rows = kind.select ? list.data?.filter(kind.select) : list.data;
  const refresh = () => client.invalidateQueries({ queryKey: kind.queryKey });
  async function reread({ id }: Row): Promise<Row> {
    await client.refetchQueries({ queryKey: kind.queryKey, exact: true }, { throwOnError: true });
    const row = client.getQueryData<Row[]>(kind.queryKey)?.find((each) => each.id === id);
    if (row) return row;
    throw new ProblemError({
      status: 404,
      title: kind.isGone,
      detail: t`Another user has deleted it. Your input is kept.`,
    });
  }
  const needs = kind.needs ? { needs: kind.needs } : {};
  const remove = kind.removeWords ?? { button: t`Delete`, of: (name: string) => t`Delete ${name}` };
  const add = (
    <ChangeButton {...needs} variant="secondary" icon={<PlusCircleIcon />} onClick={() => setEditing("new")}>
      {kind.toAdd}
    </ChangeButton>
  );
  const columns: Column<Row>[] = [
    ...kind.columns,
    {
      title: t`Actions`,
      cell: (row) => (
        <span className="vm-buttons">
          {kind.actions?.(row)}
          {!kind.isFixed?.(row) && (
            <>
              <ChangeButton
                {...needs}
                variant="secondary"
                size="sm"
                aria-label={t`Edit ${kind.nameOf(row)}`}
                onClick={() => setEditing(row)}
              >
                <Trans>Edit</Trans>
              </ChangeButton>
              {kind.remove && (
                <ChangeButton
                  {...needs}
                  variant="secondary"
                  size="sm"
                  isDanger
                  aria-label={remove.of(kind.nameOf(row))}
                  onClick={() => setRemoving(row)}
                >
                  {remove.button}
                </ChangeButton>
              )}
            </>
          )}
        </span>
      ),
    },
  ];
  return (
    <section aria-label={kind.many}>
      {list.isError && !list.data && <ProblemAlert error={list.error} level="h2" />}
      {list.isPending && (
        <LoadingNote>
          <Trans>Loading the list…</Trans>
        </LoadingNote>
      )}
      {rows?.length === 0 && (
        <Empty title={kind.noneYet} icon={kind.icon} action={add}>
          {kind.empty}
        </Empty>
      )}
      {rows && rows.length > 0 && (
        <>
          <DataTable
            label={kind.many}
            name={kind.name}
            rows={rows}
            columns={columns}
            rowKey={(row) => row.id}
            searchText={(row) => JSON.stringify(row)}
            initialSort={{ column: 0, direction: "asc" }}
            end={
              <>
                <Popover bodyContent={kind.lead}>
                  <Button variant="plain" icon={<QuestionCircleIcon />} aria-label={t`About: ${kind.many}`} />
                </Popover>
                {add}
              </>
            }
          />
        </>
      )}
      {editing && (
        <RecordDialog
          title={editing === "new" ? kind.toAdd : t`Edit ${kind.nameOf(editing)}`}
          button={editing === "new" ? t`Add` : t`Save`}
          fields={kind.fields(editing === "new" ? undefined : editing)}
          initial={editing === "new" ? kind.fresh : editing}
          isNew={editing === "new"}
          save={(input, on) => (editing === "new" ? kind.create(input) : kind.update(on as Row, input))}
          {...(editing === "new" ? { presets: kind.presets } : { reread: () => reread(editing) })}
          onSaved={() => {
            setEditing(undefined);
            void refresh();
          }}
          onClose={() => {
            setEditing(undefined);
            void refresh();
          }}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={remove.of(kind.nameOf(removing))}
          button={remove.button}
          run={() => kind.remove?.(removing) ?? Promise.resolve()}
          onDone={() => {
            setRemoving(undefined);
            void refresh();
          }}
          onClose={() => {
            setRemoving(undefined);
            void refresh();
          }}
        >
          {kind.removal}
        </ConfirmDialog>
      )}
    </section>
  );
}
