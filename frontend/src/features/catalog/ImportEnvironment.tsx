import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Button, Form, Modal, ModalBody, ModalFooter, ModalHeader, TextInput } from "@patternfly/react-core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { environmentCreate, environmentDerive } from "@/api/callsEnvironments";
import { asProblem, ProblemError } from "@/api/problem";
import { keys } from "@/api/keys";
import type { DerivedEnvironment, Vnfd } from "@/api/types";
import { flavourOf, emptyDraft } from "@/features/instantiate/draft";
import { Field } from "@/ui/Field";
import { bytes } from "@/ui/format";
import { vnfdTitle } from "@/ui/names";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";

/** The server's limit. */
const MAX_BYTES = 1024 * 1024;

async function read(vnfd: Vnfd, file: File): Promise<DerivedEnvironment> {
  if (file.size > MAX_BYTES) {
    const detail = t`${file.name} has ${bytes(file.size)}; an environment has at most ${bytes(MAX_BYTES)}.`;
    throw new ProblemError({ status: 413, title: t`The file is too large`, detail, nextStep: t`Choose another file.` });
  }
  return environmentDerive(vnfd.vnfdId, await file.text());
}

/** "site-a.env.yaml" becomes "site-a". */
const nameFrom = (file: string): string => file.replace(/(\.env)?\.ya?ml$/i, "");

function Found({ derived }: { derived: DerivedEnvironment }) {
  const count = Object.keys(derived.additionalParams).length;
  return (
    <Alert
      isInline
      variant={derived.leftOut.length > 0 ? "warning" : "success"}
      component="h2"
      role="status"
      title={
        derived.leftOut.length > 0
          ? plural(count, {
              one: "# setting fits, not all of the file does",
              other: "# settings fit, not all of the file does",
            })
          : plural(count, { one: "# setting fits", other: "# settings fit" })
      }
    >
      {derived.leftOut.length > 0 && (
        <ul aria-label={t`Not applied`}>
          {derived.leftOut.map(({ name, reason }) => (
            <li key={name}>
              <strong>{name}</strong>: {reason}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}

/** Shows which parameters of a HOT environment file fit before the environment is stored. */
export function ImportEnvironment({ vnfd, onClose }: { vnfd: Vnfd; onClose: () => void }) {
  const id = useId();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const derive = useMutation({ mutationFn: (file: File) => read(vnfd, file) });
  const save = useMutation({
    mutationFn: (derived: DerivedEnvironment) =>
      environmentCreate({
        ...{ name: name.trim(), vnfdId: vnfd.vnfdId, additionalParams: derived.additionalParams },
        flavourId: flavourOf(vnfd, emptyDraft())?.id ?? "",
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.environments });
      onClose();
    },
  });
  const nameError = save.isError && asProblem(save.error).errors?.find(({ field }) => field === "/name")?.message;
  function submit() {
    if (derive.data && name.trim() && !save.isPending) save.mutate(derive.data);
  }
  return (
    <Modal
      isOpen
      variant="medium"
      onClose={onClose}
      aria-labelledby={id}
      elementToFocus={`#${CSS.escape(`${id}-file`)}`}
    >
      <ModalHeader
        title={t`Import a HOT environment`}
        labelId={id}
        description={t`Its parameters become settings for ${vnfdTitle(vnfd)}. Secrets are left out.`}
      />
      <ModalBody>
        <Form
          id={`${id}-form`}
          aria-label={t`Import`}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Field id={`${id}-file`} label={t`File`} required help={t`YAML with the section parameters, 1 MiB at most.`}>
            {({ isRequired: _required, validated: _validated, ...aria }) => (
              <input
                {...aria}
                type="file"
                accept=".yaml,.yml,.env"
                onChange={({ currentTarget: { files } }) => {
                  const [file] = files ?? [];
                  if (!file) return;
                  save.reset();
                  setName((before) => before || nameFrom(file.name));
                  derive.mutate(file);
                }}
              />
            )}
          </Field>
          {derive.isPending && (
            <LoadingNote>
              <Trans>Checking what fits…</Trans>
            </LoadingNote>
          )}
          {derive.isError && <ProblemAlert error={derive.error} level="h2" />}
          {derive.isSuccess && (
            <>
              <Found derived={derive.data} />
              <Field id={`${id}-name`} label={t`Name`} required error={nameError || undefined}>
                {(aria) => (
                  <TextInput
                    {...aria}
                    value={name}
                    maxLength={100}
                    autoComplete="off"
                    onChange={(_event, typed) => setName(typed)}
                  />
                )}
              </Field>
            </>
          )}
          {save.isError && !nameError && <ProblemAlert error={save.error} level="h2" />}
        </Form>
      </ModalBody>
      <ModalFooter>
        <Button
          type="submit"
          form={`${id}-form`}
          isLoading={save.isPending}
          isDisabled={!derive.isSuccess || name.trim() === "" || save.isPending}
        >
          <Trans>Save</Trans>
        </Button>
        <Button variant="link" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </ModalFooter>
    </Modal>
  );
}
