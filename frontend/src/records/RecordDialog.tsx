import { Button, Form, Modal, ModalBody, ModalFooter, ModalHeader } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { isStatus } from "@/api/http";
import { asProblem, type FieldErrors } from "@/api/problem";
import type { ProblemFieldError } from "@/api/types";
import { Conflict } from "@/ui/Conflict";
import { ProblemAlert } from "@/ui/Problem";
import { asked, draftOf, inputOf, missing, refusals, type Draft, type FieldSpec } from "./fields";
import { fieldIdOf, RecordField } from "./RecordField";

interface Props {
  title: string;
  button: string;
  lead?: string | undefined;
  fields: readonly FieldSpec[];
  /** The values to begin with: of the record that is changed, or of a new one. */
  initial: object;
  isNew: boolean;
  save: (input: Record<string, unknown>) => Promise<unknown>;
  onSaved: (saved: unknown) => void;
  onClose: () => void;
}

function useRecordForm({ fields, initial, isNew, save, onSaved }: Props) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(fields, initial));
  const [errors, setErrors] = useState<FieldErrors>({});
  const [rest, setRest] = useState<ProblemFieldError[]>([]);
  function show(found: FieldErrors) {
    setErrors(found);
    const first = asked(fields, draft).find(({ name }) => name in found);
    if (first) requestAnimationFrame(() => document.getElementById(fieldIdOf(first.name))?.focus());
  }
  const saving = useMutation({
    mutationFn: () => save(inputOf(fields, draft, isNew)),
    onSuccess: onSaved,
    onError: (error) => {
      const sorted = refusals(asked(fields, draft), asProblem(error));
      setRest(sorted.rest);
      show(sorted.fields);
    },
  });
  function submit() {
    const found = missing(fields, draft);
    show(found);
    if (Object.keys(found).length === 0) saving.mutate();
  }
  function set(name: string, value: string | boolean) {
    setDraft((before) => ({ ...before, [name]: value }));
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([each]) => each !== name)));
  }
  return { draft, errors, rest, saving, submit, set };
}

/** Asks for a record's fields; a refusal is shown at the field that it is about, and nothing typed is lost. */
export function RecordDialog(props: Props) {
  const { title, button, lead, fields, isNew, onClose } = props;
  const id = useId();
  const { draft, errors, rest, saving, submit, set } = useRecordForm(props);
  const shown = asked(fields, draft);
  const groups = [...new Set(shown.map(({ group }) => group ?? ""))];
  return (
    <Modal
      isOpen
      variant="medium"
      onClose={onClose}
      aria-labelledby={id}
      elementToFocus={`#${fieldIdOf(shown[0]?.name ?? "")}`}
    >
      <ModalHeader title={title} labelId={id} description={lead} />
      <ModalBody>
        <Form
          id={`${id}-form`}
          aria-label={title}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!saving.isPending) submit();
          }}
        >
          {saving.isError &&
            (isStatus(saving.error, 412) ? (
              <Conflict error={saving.error} onLook={onClose} />
            ) : (
              <ProblemAlert error={saving.error} rest={rest} />
            ))}
          {groups.map((group) => (
            <fieldset key={group} className="vm-group">
              {group && <legend>{group}</legend>}
              {shown
                .filter((spec) => (spec.group ?? "") === group)
                .map((spec) => (
                  <RecordField
                    key={spec.name}
                    spec={spec}
                    value={draft[spec.name] ?? ""}
                    error={errors[spec.name]}
                    disabled={spec.once === true && !isNew}
                    onChange={(value) => set(spec.name, value)}
                  />
                ))}
            </fieldset>
          ))}
        </Form>
      </ModalBody>
      <ModalFooter>
        <Button type="submit" form={`${id}-form`} isLoading={saving.isPending} isDisabled={saving.isPending}>
          {button}
        </Button>
        <Button variant="link" onClick={onClose}>
          Cancel
        </Button>
      </ModalFooter>
    </Modal>
  );
}
