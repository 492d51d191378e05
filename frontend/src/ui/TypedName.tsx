import { Trans } from "@lingui/react/macro";
import { TextInput } from "@patternfly/react-core";
import { Field } from "./Field";

interface Props {
  id: string;
  /** The user has to type this. */
  name: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export const isTyped = (typed: string, name: string): boolean => typed.trim() === name;

/** Typing the name confirms an action that cannot be undone. */
export function TypedName({ id, name, label, value, onChange }: Props) {
  const help = (
    <>
      <Trans>
        Type <strong>{name}</strong> to confirm.
      </Trans>
    </>
  );
  return (
    <Field id={id} label={label} required help={help}>
      {(aria) => (
        <TextInput
          {...aria}
          value={value}
          onChange={(_event, text) => onChange(text)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </Field>
  );
}
