import { FormSelect, FormSelectOption } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { q } from "@/api/queries";
import { Field } from "../settings/Field";
import { fieldId, POLICIES, settingField } from "./draft";
import type { StepProps } from "./steps";

const HELP: Record<(typeof POLICIES)[number]["name"], string> = {
  snmpPolicy: "With one, the deployment is over when the router answers and its cards are in service.",
  sshPolicy: "With one, the package's first configuration is loaded.",
  netconfPolicy: "With one, it is loaded by NETCONF; the package's first configuration has to be XML then.",
};

/** How the VNF's network element is spoken to: packages say what it is, and never hold credentials. */
export function Management({ draft, change }: StepProps) {
  const { data: policies = [] } = useQuery(q.mediationPolicies());
  return (
    <fieldset className="vm-group">
      <legend>Network element</legend>
      {POLICIES.map(({ name, label, protocols }) => (
        <Field
          key={name}
          id={fieldId(settingField(name))}
          label={label}
          error={draft.errors[settingField(name)]}
          help={HELP[name]}
        >
          {(aria) => (
            <FormSelect
              {...aria}
              value={draft.raw[name] ?? ""}
              onChange={(_event, raw) => change({ type: "setting", name, raw: raw || undefined })}
            >
              <FormSelectOption value="" label={name === "snmpPolicy" ? "Not managed" : "None"} />
              {policies
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
