import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, FormSelect, FormSelectOption } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { q } from "@/api/queries";
import type { ManagementProfile, Vnfd } from "@/api/types";
import { NEW_NETCONF_POLICY, NEW_SNMP_POLICY, NEW_SSH_POLICY } from "@/features/administration/mediationPolicies";
import { AddRecord } from "@/records/AddRecord";
import type { NewRecord } from "@/records/fields";
import { Field } from "@/ui/Field";
import { profileFor } from "./managementProfile";
import { fieldId, POLICIES, settingField, UNMANAGED, type PolicyName } from "./settingFields";

const NEW_POLICY: Record<PolicyName, NewRecord> = {
  snmpPolicy: NEW_SNMP_POLICY,
  sshPolicy: NEW_SSH_POLICY,
  netconfPolicy: NEW_NETCONF_POLICY,
};

interface Props {
  vnfd: Vnfd;
  vimId: string | undefined;
  help: Record<PolicyName, string>;
  valueOf: (name: PolicyName) => string;
  errorOf: (name: PolicyName) => string | undefined;
  onChange: (name: PolicyName, value: string | undefined) => void;
}

/** `others`: a profile does not apply if a policy of another protocol is chosen. */
function emptyLabel(
  name: PolicyName,
  byProfile: string | undefined,
  fitting: ManagementProfile | undefined,
  others: boolean,
): string {
  if (byProfile !== undefined) return t`${byProfile} (by profile)`;
  if (name !== "snmpPolicy" || others) return t`None`;
  return fitting ? t`By profile` : t`Not managed`;
}

/** Packages contain no credentials, so the policies with which the element is managed are chosen here. */
export function PolicyFields({ vnfd, vimId, help, valueOf, errorOf, onChange }: Props) {
  const { data: policies, error } = useQuery(q.mediationPolicies());
  const { data: profiles } = useQuery(q.managementProfiles());
  const isChosen = POLICIES.some(({ name }) => valueOf(name) !== "");
  const othersChosen = POLICIES.some(({ name }) => name !== "snmpPolicy" && valueOf(name) !== "");
  const unmanaged = valueOf("snmpPolicy") === UNMANAGED;
  const fitting = profileFor(profiles ?? [], vimId, vnfd);
  const profile = isChosen ? undefined : fitting;
  const byProfile = (name: PolicyName) => policies?.find(({ id }) => id === profile?.[`${name}Id`])?.name;
  const chosen = (name: PolicyName) => policies?.find(({ id }) => id === valueOf(name))?.name ?? valueOf(name);
  const unknown = error && !policies ? t`The mediation policies could not be loaded.` : undefined;
  return (
    <fieldset className="vm-group">
      <legend>
        <Trans>Network element</Trans>
      </legend>
      {profile && (
        <Alert isInline isPlain variant="info" component="h3" title={t`Management profile ${profile.name} applies`}>
          {profile.addressRange && (
            <Trans>
              The VNF also gets a management subnet of its own from {profile.addressRange}, unless you choose one below.
            </Trans>
          )}
        </Alert>
      )}
      {unmanaged && fitting && (
        <Alert
          isInline
          isPlain
          variant="info"
          component="h3"
          title={t`Management profile ${fitting.name} does not apply: the router is not managed`}
        />
      )}
      {POLICIES.filter(({ name }) => !unmanaged || name === "snmpPolicy").map(({ name, label, protocols }) => (
        <Field
          key={name}
          id={fieldId(settingField(name))}
          label={label}
          error={errorOf(name) ?? unknown}
          help={help[name]}
          action={<AddRecord adds={NEW_POLICY[name]} onMade={(made) => onChange(name, made.name)} />}
        >
          {(aria) => (
            <FormSelect {...aria} value={chosen(name)} onChange={(_event, value) => onChange(name, value || undefined)}>
              <FormSelectOption value="" label={emptyLabel(name, byProfile(name), fitting, othersChosen)} />
              {name === "snmpPolicy" && (fitting || unmanaged) && (
                <FormSelectOption value={UNMANAGED} label={t`Do not manage`} />
              )}
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
