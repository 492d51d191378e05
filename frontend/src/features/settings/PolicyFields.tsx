import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { FormSelect, FormSelectOption } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { q } from "@/api/queries";
import { Field } from "@/ui/Field";
import { fieldId, POLICIES, settingField, type PolicyName } from "./settingFields";

interface Props {
  help: Record<PolicyName, string>;
  valueOf: (name: PolicyName) => string;
  errorOf: (name: PolicyName) => string | undefined;
  onChange: (name: PolicyName, value: string | undefined) => void;
}

/** How the VNF's network element is spoken to: packages say what it is, and never hold credentials. */
export function PolicyFields({ help, valueOf, errorOf, onChange }: Props) {
  const { data: policies, error } = useQuery(q.mediationPolicies());
  const unknown = error && !policies ? t`The mediation policies could not be loaded.` : undefined;
  return (
    <fieldset className="vm-group">
      <legend>
        <Trans>Network element</Trans>
      </legend>
      {POLICIES.map(({ name, label, protocols }) => (
        <Field
          key={name}
          id={fieldId(settingField(name))}
          label={label}
          error={errorOf(name) ?? unknown}
          help={help[name]}
        >
          {(aria) => (
            <FormSelect
              {...aria}
              value={valueOf(name)}
              onChange={(_event, value) => onChange(name, value || undefined)}
            >
              <FormSelectOption value="" label={name === "snmpPolicy" ? t`Not managed` : t`None`} />
              {(policies ?? [])
                .filter((policy) => (protocols as readonly string[]).includes(policy.protocol))
                .map((policy) => (
                  <FormSelectOption key={policy.id} value={policy.name} label={policy.name} />
                ))}
            </FormSelect>
          )}
        </Field>
      ))}
    </fieldset>
  );
}
