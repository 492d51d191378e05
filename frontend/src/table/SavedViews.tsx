import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import {
  Button,
  Divider,
  Dropdown,
  DropdownItem,
  DropdownList,
  Form,
  FormGroup,
  MenuToggle,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  TextInput,
} from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { q } from "@/api/queries";
import { useStored } from "@/ui/stored";
import { AFTER, PAGE } from "@/ui/listView";

/** `asked` is the query of the address. */
interface SavedView {
  name: string;
  asked: string;
}

const isView = (each: unknown): each is SavedView =>
  typeof (each as SavedView | null)?.name === "string" && typeof (each as SavedView).asked === "string";
const viewsOf = (found: unknown): SavedView[] => (Array.isArray(found) ? found.filter(isView) : []);

interface Props {
  /** A view of one list does not apply to another. */
  list: string;
  /** Names in the address that a view does not keep. */
  passing?: readonly string[];
}

function useViews({ list, passing = [] }: Props) {
  const { data: session } = useQuery(q.session());
  const [params, setParams] = useSearchParams();
  const [views, keep] = useStored(`vnfm.views.${list}.${session?.username ?? ""}`, viewsOf);
  const kept = new URLSearchParams(params);
  [AFTER, PAGE, ...passing].forEach((name) => kept.delete(name));
  kept.sort();
  const asked = kept.toString();
  const others = (name: string) => views.filter((each) => each.name !== name);
  return {
    views,
    present: views.find((each) => each.asked === asked),
    show: ({ asked: wanted }: SavedView) => setParams(new URLSearchParams(wanted)),
    save: (name: string) => keep([...others(name), { name, asked }].sort((a, b) => a.name.localeCompare(b.name))),
    remove: (name: string) => keep(others(name)),
  };
}

function SaveDialog({
  taken,
  onSave,
  onClose,
}: {
  taken: string[];
  onSave: (name: string) => void;
  onClose: () => void;
}) {
  const id = useId();
  const [text, setText] = useState("");
  const name = text.trim();
  return (
    <Modal
      isOpen
      variant="small"
      onClose={onClose}
      aria-labelledby={id}
      elementToFocus={`#${CSS.escape(`${id}-name`)}`}
    >
      <ModalHeader
        title={t`Save this view`}
        labelId={id}
        description={t`Saves filters, grouping and order in this browser.`}
      />
      <ModalBody>
        <Form
          id={`${id}-form`}
          onSubmit={(event) => {
            event.preventDefault();
            if (name) onSave(name);
          }}
        >
          <FormGroup label={t`Name`} fieldId={`${id}-name`}>
            <TextInput
              id={`${id}-name`}
              value={text}
              maxLength={60}
              autoComplete="off"
              onChange={(_event, typed) => setText(typed)}
            />
          </FormGroup>
        </Form>
        {taken.includes(name) && (
          <p role="status">
            <Trans>This name exists; the view is replaced.</Trans>
          </p>
        )}
      </ModalBody>
      <ModalFooter>
        <Button type="submit" form={`${id}-form`} isDisabled={!name}>
          <Trans>Save</Trans>
        </Button>
        <Button variant="link" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </ModalFooter>
    </Modal>
  );
}

export function SavedViews(props: Props) {
  const { views, present, show, save, remove } = useViews(props);
  const [open, setOpen] = useState(false);
  const [saving, setSaving] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Dropdown
        isOpen={open}
        onOpenChange={setOpen}
        onSelect={() => setOpen(false)}
        shouldFocusFirstItemOnOpen
        shouldFocusToggleOnSelect
        popperProps={{ appendTo: "inline" }}
        toggle={{
          toggleRef: toggle,
          toggleNode: (
            <MenuToggle ref={toggle} variant="secondary" isExpanded={open} onClick={() => setOpen(!open)}>
              {present ? t`View: ${present.name}` : t`Views`}
            </MenuToggle>
          ),
        }}
      >
        <DropdownList aria-label={t`Views`}>
          {views.map((view) => (
            <DropdownItem key={view.name} isSelected={view === present} onClick={() => show(view)}>
              {view.name}
            </DropdownItem>
          ))}
          {views.length > 0 && <Divider key="line" component="li" />}
          <DropdownItem key="save" onClick={() => setSaving(true)}>
            <Trans>Save this view…</Trans>
          </DropdownItem>
          {present && (
            <DropdownItem key="remove" isDanger onClick={() => remove(present.name)}>
              {t`Remove the view ${present.name}`}
            </DropdownItem>
          )}
        </DropdownList>
      </Dropdown>
      {saving && (
        <SaveDialog
          taken={views.map(({ name }) => name)}
          onSave={(name) => {
            save(name);
            setSaving(false);
          }}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  );
}
