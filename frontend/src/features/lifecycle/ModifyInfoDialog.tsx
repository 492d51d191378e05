import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Form, FormGroup, TextInput } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { q } from "@/api/queries";
import type { ModifyInfoRequest, VnfInstance } from "@/api/types";
import { Conflict } from "@/ui/Conflict";
import { OperationDialog } from "./OperationDialog";
import { Field } from "@/ui/Field";
import { rawOf } from "@/features/settings/validate";

interface Info {
  name: string;
  description: string;
  metadata: Record<string, unknown>;
}

interface Row {
  /** Identifies the row while the user types its key. */
  n: number;
  key: string;
  text: string;
}

/** RFC 7396: null removes a key. Unchanged keys are not sent, so that concurrent changes of them survive. */
function metadataPatch(before: Record<string, unknown>, rows: readonly Row[]): Record<string, unknown> {
  const after = new Map(rows.filter(({ key }) => key.trim()).map(({ key, text }) => [key.trim(), text]));
  const gone = Object.keys(before).filter((key) => !after.has(key));
  const changed = [...after].filter(([key, text]) => !(key in before) || rawOf(before[key]) !== text);
  return Object.fromEntries([...gone.map((key) => [key, null] as const), ...changed]);
}

const rowsOf = (metadata: Record<string, unknown>): Row[] =>
  Object.entries(metadata).map(([key, value], index) => ({ n: index + 1, key, text: rawOf(value) }));

/** Rows that the user has not touched follow the present metadata; touched rows keep the typed values. */
function rebasedRows(before: Record<string, unknown>, now: Record<string, unknown>, rows: readonly Row[]): Row[] {
  const typed = Object.fromEntries(rows.map(({ key, text }) => [key.trim(), text]));
  return rowsOf({ ...now, ...metadataPatch(before, rows) })
    .filter(({ key }) => key in typed || !(key in before))
    .map((row) => ({
      ...row,
      text: typed[row.key] === rawOf(before[row.key]) ? row.text : (typed[row.key] ?? row.text),
    }));
}

/** Keys: label. */
const labelled = ({ name, description, metadata }: Info): Record<string, string> => ({
  [t`Name`]: name,
  [t`Description`]: description,
  ...Object.fromEntries(Object.entries(metadata).map(([key, value]) => [t`Metadata ${key}`, rawOf(value)])),
});

function changesSince(begun: Info, now: Info, draft: Info) {
  const [old, fresh, typed] = [labelled(begun), labelled(now), labelled(draft)];
  return Object.keys({ ...old, ...fresh })
    .filter((label) => old[label] !== fresh[label])
    .map((label) => ({
      label,
      was: old[label] || t`nothing`,
      now: fresh[label] || t`nothing`,
      ...(typed[label] === old[label] || typed[label] === fresh[label] ? {} : { typed: typed[label] || t`nothing` }),
    }));
}

function Metadata({ rows, onChange }: { rows: readonly Row[]; onChange: (rows: Row[]) => void }) {
  const set = (n: number, patch: Partial<Row>) =>
    onChange(rows.map((row) => (row.n === n ? { ...row, ...patch } : row)));
  const add = () => onChange([...rows, { n: Math.max(0, ...rows.map((row) => row.n)) + 1, key: "", text: "" }]);
  return (
    <FormGroup role="group" label={t`Metadata`} fieldId="modify-metadata">
      <div className="vm-pairs">
        {rows.map(({ n, key, text }) => (
          <div key={n} className="vm-pair">
            <TextInput
              aria-label={t`Key ${n}`}
              placeholder={t`Key`}
              value={key}
              onChange={(_event, value) => set(n, { key: value })}
            />
            <TextInput
              aria-label={t`Value of ${key || t`key ${n}`}`}
              placeholder={t`Value`}
              value={text}
              onChange={(_event, value) => set(n, { text: value })}
            />
            <Button
              variant="link"
              aria-label={t`Remove ${key || t`key ${n}`}`}
              onClick={() => onChange(rows.filter((row) => row.n !== n))}
            >
              <Trans>Remove</Trans>
            </Button>
          </div>
        ))}
        <Button variant="link" isInline onClick={add}>
          <Trans>Add metadata</Trans>
        </Button>
      </div>
    </FormGroup>
  );
}

interface Props {
  instance: VnfInstance;
  onClose: () => void;
}

/** A conflict is shown until the user continues with the present values. */
function useInfoDraft(now: Info) {
  const [begun, setBegun] = useState(now);
  const [name, setName] = useState(now.name);
  const [description, setDescription] = useState(now.description);
  const [rows, setRows] = useState<Row[]>(() => rowsOf(now.metadata));
  const metadata = Object.fromEntries(rows.filter(({ key }) => key.trim()).map(({ key, text }) => [key.trim(), text]));
  const changes = changesSince(begun, now, { name, description, metadata });
  function goOn() {
    if (name === begun.name) setName(now.name);
    if (description === begun.description) setDescription(now.description);
    setRows(rebasedRows(begun.metadata, now.metadata, rows));
    setBegun(now);
  }
  const patch = metadataPatch(begun.metadata, rows);
  const request: ModifyInfoRequest = {
    ...(name.trim() === begun.name ? {} : { vnfInstanceName: name.trim() }),
    ...(description === begun.description ? {} : { vnfInstanceDescription: description }),
    ...(Object.keys(patch).length > 0 ? { metadata: patch } : {}),
  };
  const isComplete = name.trim() !== "" && Object.keys(request).length > 0 && changes.length === 0;
  return {
    ...{ name, setName, description, setDescription, rows, setRows, changes, goOn },
    request: isComplete ? request : undefined,
  };
}

function ModifyForm({ instance, metadata, onClose }: Props & { metadata: Record<string, unknown> }) {
  const { name: savedName, description: savedDescription } = instance;
  const draft = useInfoDraft({ name: savedName, description: savedDescription, metadata });
  const { name, setName, description, setDescription, rows, setRows, changes, goOn } = draft;
  const nameless = name.trim() === "";
  return (
    <OperationDialog
      instance={instance}
      operation="MODIFY_INFO"
      request={draft.request}
      firstFieldId="modify-name"
      title={t`Edit ${instance.name}`}
      button={t`Save`}
      incomplete={changes.length > 0 ? t`Decide above what is saved.` : t`No changes yet.`}
      fieldOf={([head = ""]) => (["vnfInstanceName", "vnfInstanceDescription"].includes(head) ? head : undefined)}
      onClose={onClose}
    >
      {(errors) => (
        <Form isHorizontal aria-label={t`Edit`} onSubmit={(event) => event.preventDefault()}>
          <Field
            id="modify-name"
            label={t`Name`}
            required
            error={nameless ? t`Enter a name.` : errors["vnfInstanceName"]}
          >
            {(aria) => (
              <TextInput {...aria} value={name} onChange={(_event, value) => setName(value)} autoComplete="off" />
            )}
          </Field>
          <Field id="modify-description" label={t`Description`} error={errors["vnfInstanceDescription"]}>
            {(aria) => (
              <TextInput
                {...aria}
                value={description}
                onChange={(_event, value) => setDescription(value)}
                autoComplete="off"
              />
            )}
          </Field>
          <Metadata rows={rows} onChange={setRows} />
          {changes.length > 0 && <Conflict level="h2" changes={changes} secret={false} onGoOn={goOn} />}
        </Form>
      )}
    </OperationDialog>
  );
}

/** Changes only the record and nothing in the cloud. */
export function ModifyInfoDialog({ instance, onClose }: Props) {
  const { data: etsi } = useQuery(q.etsiVnfInstance(instance.id));
  return etsi && <ModifyForm instance={instance} metadata={etsi.metadata ?? {}} onClose={onClose} />;
}
