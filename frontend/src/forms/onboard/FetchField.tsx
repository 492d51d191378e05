import { Button, ExpandableSection, Form, TextInput } from "@patternfly/react-core";
import { useState } from "react";
import type { PackageSource } from "@/api/types";
import { Field } from "../settings/Field";

const FIELDS = [
  { name: "addressInformation", label: "Address", type: "url", help: "An https URL of a zip or a CSAR." },
  { name: "userName", label: "User name", type: "text", help: "Only where the server asks for one." },
  { name: "password", label: "Password", type: "password", help: "" },
] as const;

interface Props {
  disabled: boolean;
  /** What is wrong with a field, by its name on the wire. */
  errors: Readonly<Record<string, string>>;
  onFetch: (source: PackageSource) => void;
}

/** Has the VNF manager fetch the package, instead of sending it. */
export function FetchField({ disabled, errors, onFetch }: Props) {
  const [source, setSource] = useState({ addressInformation: "", userName: "", password: "" });
  return (
    <ExpandableSection toggleText="Fetch it from an address instead">
      <Form
        className="vm-choosers"
        aria-label="Fetch a package"
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
                onChange={(_event, value) => setSource({ ...source, [name]: value })}
              />
            )}
          </Field>
        ))}
        <div>
          <Button type="submit" variant="secondary" isDisabled={disabled || source.addressInformation.trim() === ""}>
            Fetch
          </Button>
        </div>
      </Form>
    </ExpandableSection>
  );
}
