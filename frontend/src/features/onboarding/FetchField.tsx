import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, ExpandableSection, Form, TextInput } from "@patternfly/react-core";
import { useState } from "react";
import type { PackageSource } from "@/api/types";
import { Field } from "@/ui/Field";

const FIELDS = [
  { name: "addressInformation", label: t`Address`, type: "url", help: t`An https URL of a zip or a CSAR.` },
  { name: "userName", label: t`User name`, type: "text", help: t`If the server requires one.` },
  { name: "password", label: t`Password`, type: "password", help: "" },
] as const;

interface Props {
  disabled: boolean;
  /** Keys: name in the API. */
  errors: Readonly<Record<string, string>>;
  /** A changed source makes earlier results and choices invalid. */
  onChange: () => void;
  onFetch: (source: PackageSource) => void;
}

/** The VNF manager fetches the package from a URL. */
export function FetchField({ disabled, errors, onChange, onFetch }: Props) {
  const [source, setSource] = useState({ addressInformation: "", userName: "", password: "" });
  return (
    <ExpandableSection toggleText={t`Fetch from a URL instead`}>
      <Form
        className="vm-choosers"
        aria-label={t`Fetch a package`}
        onSubmit={(event) => {
          event.preventDefault();
          const { addressInformation, userName, password } = source;
          onFetch({ addressInformation, ...(userName && { userName }), ...(password && { password }) });
        }}
      >
        {FIELDS.map(({ name, label, type, help }) => (
          <Field key={name} id={`fetch-${name}`} label={label} help={help} error={errors[name]}>
            {(aria) => (
              <TextInput
                {...aria}
                type={type}
                autoComplete="off"
                isDisabled={disabled}
                value={source[name]}
                onChange={(_event, value) => {
                  onChange();
                  setSource({ ...source, [name]: value });
                }}
              />
            )}
          </Field>
        ))}
        <div>
          <Button type="submit" variant="secondary" isDisabled={disabled || source.addressInformation.trim() === ""}>
            <Trans>Fetch</Trans>
          </Button>
        </div>
      </Form>
    </ExpandableSection>
  );
}
