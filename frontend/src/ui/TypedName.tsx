import { Trans } from "@lingui/react/macro";
import { TextInput } from "@patternfly/react-core";
import { Field } from "./Field";

interface Props {
  id: string;
  /** What has to be typed. */
  name: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export const isTyped = (typed: string, name: string): boolean => typed.trim() === name;

/** Agreement to what cannot be taken back: the name, letter by letter. */
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
