import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import {
  ActionGroup,
  Button,
  Checkbox,
  Form,
  FormSelect,
  FormSelectOption,
  TextArea,
  TextInput,
} from "@patternfly/react-core";
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { vimCreate, vimUpdate, vimView } from "@/api/calls";
import { isStatus } from "@/api/http";
import { asProblem, type FieldErrors } from "@/api/problem";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { ProblemFieldError, Vim } from "@/api/types";
import { Field } from "@/ui/Field";
import {
  changesOf,
  draftOf,
  emptyVim,
  INTERFACES,
  rebased,
  toVimInput,
  vimErrors,
  vimProblemFields,
  type VimChange,
  type VimDraft,
} from "@/features/clouds/vimDraft";
import { pb } from "@/paths";
import { Conflict } from "@/ui/Conflict";
import { faultText, wordsOf } from "@/ui/names";
import { FormProblem } from "@/ui/Problem";
import { Screen } from "@/ui/Screen";

type TextField = Exclude<keyof VimDraft, "insecure">;
const fieldIdOf = (field: string) => `vim-${field}`;

interface InputProps {
  field: TextField;
  label: string;
  help?: string;
  required?: boolean;
  type?: "text" | "password" | "url";
}

/** A probe also changes the cloud, so saving is repeated this often before the user has to decide. */
const TRIES = 5;

function useVimForm(vim: Vim | undefined) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [stored, setStored] = useState(vim);
  const begun = stored ? draftOf(stored) : emptyVim;
  const [draft, setDraft] = useState(begun);
  const [met, setMet] = useState<VimChange[]>([]);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [rest, setRest] = useState<ProblemFieldError[]>([]);

  function show(fields: FieldErrors) {
    setErrors(fields);
    const first = Object.keys(emptyVim).find((field) => field in fields);
    if (first) requestAnimationFrame(() => document.getElementById(fieldIdOf(first))?.focus());
  }
  async function update(on: Vim, typed: VimDraft, tries = TRIES): Promise<Vim> {
    try {
      return await vimUpdate(on.id, changesOf(typed, draftOf(on)), on.version);
    } catch (error) {
      if (!isStatus(error, 412)) throw error;
      const now = await vimView(on.id);
      const next = rebased(draftOf(on), draftOf(now), typed);
      setStored(now);
      setDraft((present) => rebased(draftOf(on), draftOf(now), present).draft);
      setMet(next.changes);
      if (next.changes.length > 0 || tries === 0) throw error;
      return update(now, next.draft, tries - 1);
    }
  }
  const save = useMutation({
    mutationFn: () => (stored ? update(stored, draft) : vimCreate(toVimInput(draft))),
    onSuccess: (saved) => {
      client.setQueryData(keys.vim(saved.id), saved);
      void client.invalidateQueries({ queryKey: keys.vims });
      void navigate(pb.vim(saved.id));
    },
    onError: (error) => {
      const sorted = vimProblemFields(asProblem(error));
      setRest(sorted.rest);
      show(sorted.fields);
    },
  });
  function submit() {
    const found = vimErrors(draft, stored && begun);
    show(found);
    if (Object.keys(found).length === 0) save.mutate();
  }
  function set<K extends keyof VimDraft>(field: K, value: VimDraft[K]) {
    setDraft((before) => ({ ...before, [field]: value }));
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name !== field)));
  }
  return { draft, errors, rest, met, save, submit, set };
}

function VimForm({ vim }: { vim?: Vim }) {
  const navigate = useNavigate();
  const { draft, errors, rest, met, save, submit, set } = useVimForm(vim);
  const input = ({ field, label, help, required = false, type = "text" }: InputProps) => (
    <Field id={fieldIdOf(field)} label={label} required={required} error={errors[field]} help={help}>
      {(aria) => (
        <TextInput
          {...aria}
          type={type}
          value={draft[field]}
          onChange={(_event, value) => set(field, value)}
          autoComplete={type === "password" ? "new-password" : "off"}
          spellCheck={false}
        />
      )}
    </Field>
  );
  const area = ({ field, label, help }: InputProps) => (
    <Field id={fieldIdOf(field)} label={label} error={errors[field]} help={help}>
      {(aria) => (
        <TextArea
          {...aria}
          rows={4}
          resizeOrientation="vertical"
          className="vm-mono"
          value={draft[field]}
          onChange={(_event, value) => set(field, value)}
        />
      )}
    </Field>
  );
  const needsProject = !draft.projectId && !draft.applicationCredentialId && !draft.applicationCredentialName;
  return (
    <Form
      className="vm-settings"
      aria-label={vim ? t`Edit cloud` : t`Register a cloud`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) submit();
      }}
    >
      <fieldset className="vm-group">
        <legend>
          <Trans>Cloud</Trans>
        </legend>
        {input({ field: "name", label: t`Name`, required: true, help: t`Display name.` })}
        {input({ field: "description", label: t`Description` })}
        {input({
          field: "authUrl",
          label: t`Authentication URL`,
          required: true,
          type: "url",
          help: t`Keystone v3, such as https://keystone.example:5000/v3.`,
        })}
        {input({ field: "region", label: t`Region`, help: t`Empty: the cloud's only region.` })}
        <Field
          id={fieldIdOf("interface")}
          label={t`Interface`}
          error={errors["interface"]}
          help={t`Endpoint interface of the service catalog.`}
        >
          {(aria) => (
            <FormSelect
              {...aria}
              value={draft.interface}
              onChange={(_event, value) => set("interface", value as VimDraft["interface"])}
            >
              {INTERFACES.map((each) => (
                <FormSelectOption key={each} value={each} label={each} />
              ))}
            </FormSelect>
          )}
        </Field>
      </fieldset>
      <fieldset className="vm-group">
        <legend>
          <Trans>Credentials</Trans>
        </legend>
        {input({ field: "username", label: t`Username`, required: !draft.applicationCredentialId })}
        {input({
          field: "password",
          label: t`Password`,
          required: !vim,
          type: "password",
          help: vim?.hasPassword
            ? t`Empty: unchanged. Needed for another server or other TLS settings.`
            : t`Encrypted.`,
        })}
        {input({ field: "userDomainName", label: t`User domain`, required: true })}
        {input({ field: "projectName", label: t`Project`, required: needsProject })}
        {input({ field: "projectDomainName", label: t`Project domain`, required: needsProject })}
        {input({ field: "projectId", label: t`Project ID`, help: t`Instead of the project's name and domain.` })}
        {input({
          field: "applicationCredentialId",
          label: t`Application credential ID`,
          help: t`Instead of user and project; its secret is the password.`,
        })}
        {input({
          field: "applicationCredentialName",
          label: t`Application credential name`,
          help: t`Instead of its ID: one of the user above.`,
        })}
      </fieldset>
      <fieldset className="vm-group">
        <legend>
          <Trans>Connection</Trans>
        </legend>
        {area({ field: "cacert", label: t`CA certificate`, help: t`PEM; empty: the system's CA certificates.` })}
        {area({
          field: "endpointOverrides",
          label: t`Endpoint overrides`,
          help: t`One per line: service=URL, such as orchestration=https://heat.example:8004/v1/%(project_id)s.`,
        })}
        {area({
          field: "schedulerFilters",
          label: t`Scheduler filters`,
          help: t`The enabled_filters of nova.conf. OpenStack has no API for them, so ask the cloud's administrator; if empty, plans warn about the filters that they need.`,
        })}
        <div className="vm-check">
          <Checkbox
            id={fieldIdOf("insecure")}
            label={t`Do not verify the certificate`}
            description={t`Insecure: a man in the middle can read the credentials.`}
            isChecked={draft.insecure}
            onChange={(_event, value) => set("insecure", value)}
          />
        </div>
      </fieldset>
      {save.isError &&
        (isStatus(save.error, 412) ? (
          <Conflict
            level="h2"
            secret={draft.password !== ""}
            changes={met.map(({ field, ...change }) => ({ label: faultText(wordsOf(field)), ...change }))}
          />
        ) : (
          <FormProblem error={save.error} rest={rest} isMarked={Object.keys(errors).length > 0} />
        ))}
      <ActionGroup>
        <Button type="submit" isLoading={save.isPending} isDisabled={save.isPending}>
          {vim ? t`Save` : t`Register`}
        </Button>
        <Button variant="link" onClick={() => void navigate(-1)} isDisabled={save.isPending}>
          <Trans>Cancel</Trans>
        </Button>
        {save.isPending && (
          <span role="status">
            <Trans>Verifying the credentials…</Trans>
          </span>
        )}
      </ActionGroup>
    </Form>
  );
}

function Edit({ id }: { id: string }) {
  const { data: vim } = useSuspenseQuery(q.vim(id));
  return (
    <Screen
      title={t`Edit ${vim.name}`}
      crumbs={[
        { text: t`Clouds`, to: pb.vims() },
        { text: vim.name, to: pb.vim(vim.id) },
      ]}
    >
      <VimForm vim={vim} />
    </Screen>
  );
}

function CloudFormPage() {
  const { id } = useParams();
  if (id) return <Edit id={id} />;
  return (
    <Screen
      title={t`Register a cloud`}
      crumbs={[{ text: t`Clouds`, to: pb.vims() }]}
      lead={t`The credentials are verified now; a cloud that does not accept them is not registered.`}
    >
      <VimForm />
    </Screen>
  );
}

export { CloudFormPage as Component };
