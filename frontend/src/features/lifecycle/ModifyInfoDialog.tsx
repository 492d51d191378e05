import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Form, FormGroup, TextInput } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { q } from "@/api/queries";
import type { ModifyInfoRequest, VnfInstance } from "@/api/types";
import { OperationDialog } from "./OperationDialog";
import { Field } from "@/ui/Field";
import { rawOf } from "@/features/settings/validate";

interface Row {
  /** Tells rows apart while their keys are typed. */
  n: number;
  key: string;
  text: string;
}

/** RFC 7396: what is no longer there is null; what was not touched does not travel, so that others' changes stay. */
function metadataPatch(before: Record<string, unknown>, rows: readonly Row[]): Record<string, unknown> {
  const after = new Map(rows.filter(({ key }) => key.trim()).map(({ key, text }) => [key.trim(), text]));
  const gone = Object.keys(before).filter((key) => !after.has(key));
  const changed = [...after].filter(([key, text]) => !(key in before) || rawOf(before[key]) !== text);
  return Object.fromEntries([...gone.map((key) => [key, null] as const), ...changed]);
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

function ModifyForm({ instance, metadata, onClose }: Props & { metadata: Record<string, unknown> }) {
  const [name, setName] = useState(instance.name);
  const [description, setDescription] = useState(instance.description);
  const [rows, setRows] = useState<Row[]>(() =>
    Object.entries(metadata).map(([key, value], index) => ({ n: index + 1, key, text: rawOf(value) })),
  );
  const patch = metadataPatch(metadata, rows);
  const request: ModifyInfoRequest = {
    ...(name.trim() === instance.name ? {} : { vnfInstanceName: name.trim() }),
    ...(description === instance.description ? {} : { vnfInstanceDescription: description }),
    ...(Object.keys(patch).length > 0 ? { metadata: patch } : {}),
  };
  const nameless = name.trim() === "";
  return (
    <OperationDialog
      instance={instance}
      operation="MODIFY_INFO"
      request={!nameless && Object.keys(request).length > 0 ? request : undefined}
      firstFieldId="modify-name"
      title={t`Edit ${instance.name}`}
      button={t`Save`}
      incomplete={t`No changes yet.`}
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
        </Form>
      )}
    </OperationDialog>
  );
}

/** Name, description and metadata: the record alone, nothing in the cloud. */
export function ModifyInfoDialog({ instance, onClose }: Props) {
  const { data: etsi } = useQuery(q.etsiVnfInstance(instance.id));
  return etsi && <ModifyForm instance={instance} metadata={etsi.metadata ?? {}} onClose={onClose} />;
}
