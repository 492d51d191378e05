import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Form, Modal, ModalBody, ModalFooter, ModalHeader } from "@patternfly/react-core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { useIsOffline } from "@/api/connection";
import { isStatus } from "@/api/http";
import { asProblem, type FieldErrors } from "@/api/problem";
import type { ProblemFieldError } from "@/api/types";
import { Conflict } from "@/ui/Conflict";
import { FormProblem } from "@/ui/Problem";
import { isInOpenChoice } from "@/ui/SearchSelect";
import { isUtc } from "@/ui/zone";
import {
  applicable,
  draftOf,
  hasSecret,
  inputOf,
  draftErrors,
  rebase,
  problemFields,
  type Change,
  type Draft,
  type FieldSpec,
  type NewRecord,
} from "./fields";
import { fieldIdOf, FieldText, RecordField } from "./RecordField";

interface Props {
  title: string;
  button: string;
  lead?: string | undefined;
  fields: readonly FieldSpec[];
  /** The initial values are those of the changed record or of a new one. */
  initial: object;
  isNew: boolean;
  /** `on` is the version on which the user decided: `initial`, or what `reread` has returned since. */
  save: (input: Record<string, unknown>, on: object) => Promise<unknown>;
  /** Reads the record again after `save` failed with a conflict. */
  reread?: () => Promise<object>;
  /** The dialog shows that it is busy until this ends. */
  onSaved: (saved: unknown) => void | Promise<void>;
  onClose: () => void;
  /** The dialog below must not handle Escape; without one this is undefined. */
  appendTo?: HTMLElement | undefined;
  /** Gives values that follow from other fields to fields that were not touched. */
  presets?: ((draft: Draft) => Draft) | undefined;
}

/**
 * A record that also changes by itself, as a scan does while it runs, is saved again this often before the user is
 * asked.
 */
const TRIES = 5;

function useRecordForm({ fields, initial, isNew, save, reread, onSaved, presets }: Props) {
  // Another tab may change the zone; this dialog keeps the zone in which it was opened.
  const [utc] = useState(isUtc);
  const [base, setBase] = useState(initial);
  const [met, setMet] = useState<{ changes: Change[]; secret: boolean }>({ changes: [], secret: false });
  const [typed, setDraft] = useState<Draft>(() => draftOf(fields, initial, utc));
  const [touched, setTouched] = useState<Draft>({});
  const draft: Draft = { ...typed, ...presets?.(typed), ...touched };
  const [errors, setErrors] = useState<FieldErrors>({});
  const [rest, setRest] = useState<ProblemFieldError[]>([]);
  function show(found: FieldErrors) {
    setErrors(found);
    const first = applicable(fields, draft).find(({ name }) => name in found);
    if (first) requestAnimationFrame(() => document.getElementById(fieldIdOf(first.name))?.focus());
  }
  async function saved(on: object, typed: Draft, tries = TRIES): Promise<unknown> {
    try {
      return await save(inputOf(fields, typed, isNew, utc), on);
    } catch (error) {
      if (!reread || !isStatus(error, 412)) throw error;
      const now = await reread();
      const next = rebase(fields, on, now, typed, utc);
      const secret = hasSecret(fields, typed);
      setBase(now);
      setDraft((present) => rebase(fields, on, now, present, utc).draft);
      setMet({ changes: next.changes, secret });
      if (next.changes.length > 0 || secret || tries === 0) throw error;
      return saved(now, next.draft, tries - 1);
    }
  }
  const saving = useMutation({
    mutationFn: () => saved(base, draft),
    onSuccess: onSaved,
    onError: (error) => {
      const sorted = problemFields(applicable(fields, draft), asProblem(error));
      setRest(sorted.rest);
      show(sorted.fields);
    },
  });
  function submit() {
    const found = draftErrors(fields, draft);
    show(found);
    if (Object.keys(found).length === 0) saving.mutate();
  }
  function set(name: string, value: string | boolean) {
    setDraft((before) => ({ ...before, [name]: value }));
    if (presets) setTouched((before) => ({ ...before, [name]: value }));
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([each]) => each !== name)));
  }
  return { draft, utc, errors, rest, met, saving, submit, set };
}

type SearchSpec = Extract<FieldSpec, { kind: "search" }>;

export interface NewObject {
  id: string;
  name: string;
}

/** Milliseconds to wait for the list to contain the record, which exists in any case. */
const PATIENCE = 2000;

function useIsMounted() {
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return () => mounted.current;
}

/** Opens in place of the dialog whose field needs the record, or on top of it (`appendTo`). */
export function NewRecordDialog({
  adds,
  onMade,
  onClose,
  appendTo,
}: {
  adds: NewRecord;
  onMade: (made: NewObject) => void;
  onClose: () => void;
  appendTo?: HTMLElement | undefined;
}) {
  const client = useQueryClient();
  const isMounted = useIsMounted();
  return (
    <RecordDialog
      title={adds.title}
      button={t`Add`}
      fields={adds.fields}
      initial={adds.fresh}
      isNew
      save={adds.create}
      onSaved={async (made) => {
        // The list shows its own error when it cannot be read.
        const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
        await Promise.race([client.invalidateQueries({ queryKey: adds.queryKey }), patience]);
        // A dialog that was cancelled while the list was read chooses nothing.
        if (isMounted()) onMade(made as NewObject);
      }}
      onClose={onClose}
      appendTo={appendTo}
    />
  );
}

/** Shows a refusal at the field that it is about and keeps all typed values. */
export function RecordDialog(props: Props) {
  const { title, button, lead, fields, isNew, onClose, appendTo } = props;
  const id = useId();
  const offline = useIsOffline();
  const { draft, utc, errors, rest, met, saving, submit, set } = useRecordForm(props);
  const [needing, setNeeding] = useState<SearchSpec>();
  const [first, setFirst] = useState<string>();
  const shown = applicable(fields, draft);
  if (needing?.adds) {
    const { adds, name } = needing;
    const back = () => {
      setFirst(name);
      setNeeding(undefined);
    };
    return (
      <NewRecordDialog
        adds={adds}
        onMade={(made) => {
          set(name, made.id);
          back();
        }}
        onClose={back}
        appendTo={appendTo}
      />
    );
  }
  const groups = [...new Set(shown.map(({ group }) => group ?? ""))];
  return (
    <Modal
      isOpen
      variant="medium"
      onClose={onClose}
      {...(appendTo ? { appendTo } : {})}
      onEscapePress={(event) => {
        if (appendTo) event.stopPropagation();
        if (!isInOpenChoice(event)) onClose();
      }}
      aria-labelledby={id}
      elementToFocus={`#${fieldIdOf(first ?? shown[0]?.name ?? "")}`}
    >
      <ModalHeader title={title} labelId={id} description={lead} />
      <ModalBody>
        <Form
          id={`${id}-form`}
          aria-label={title}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            // In React's tree the other form contains this dialog, so the event would reach it.
            event.stopPropagation();
            if (!saving.isPending) submit();
          }}
        >
          {saving.isError &&
            (isStatus(saving.error, 412) ? (
              <Conflict
                level="h2"
                secret={met.secret}
                changes={met.changes.map(({ field, was, now, typed }) => ({
                  label: field.label,
                  was: <FieldText spec={field} value={was} />,
                  now: <FieldText spec={field} value={now} />,
                  ...(typed === undefined ? {} : { typed: <FieldText spec={field} value={typed} /> }),
                }))}
              />
            ) : (
              <FormProblem error={saving.error} rest={rest} isMarked={Object.keys(errors).length > 0} />
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
                    utc={utc}
                    value={draft[spec.name] ?? ""}
                    error={errors[spec.name]}
                    disabled={spec.once === true && !isNew}
                    onChange={(value) => set(spec.name, value)}
                    {...(spec.kind === "search" && spec.adds
                      ? { adds: { title: spec.adds.title, onClick: () => setNeeding(spec) } }
                      : {})}
                  />
                ))}
            </fieldset>
          ))}
        </Form>
      </ModalBody>
      <ModalFooter>
        <Button type="submit" form={`${id}-form`} isLoading={saving.isPending} isDisabled={saving.isPending || offline}>
          {button}
        </Button>
        <Button variant="link" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </ModalFooter>
    </Modal>
  );
}
