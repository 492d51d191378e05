import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import {
  Button,
  Form,
  FormSelect,
  FormSelectOption,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  TextInput,
} from "@patternfly/react-core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useNavigate } from "react-router";
import { opOccView, unclaimedAdopt } from "@/api/calls";
import { asProblem, splitFieldErrors } from "@/api/problem";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { AdoptRequest, InstantiateRequest, Unclaimed, Vim, Vnfd } from "@/api/types";
import { pb } from "@/paths";
import { vnfdTitle } from "@/ui/names";
import { ProblemAlert } from "@/ui/Problem";
import {
  fieldOfPointer,
  policyParams,
  settingField,
  VIM_TYPE,
  type PolicyName,
} from "@/features/settings/settingFields";
import { PolicyFields } from "@/features/settings/PolicyFields";
import { PlanSection } from "@/features/plans/PlanSection";
import { usePlanRequest } from "@/features/plans/usePlanRequest";
import { Field } from "@/ui/Field";
import { SettingField } from "@/features/settings/SettingField";

interface Props {
  vim: Vim;
  row: Unclaimed;
  onClose: () => void;
}

/** Heat does not return the secrets of a stack, so the user has to enter all of them. */
function useSecrets(vnfd: Vnfd | undefined) {
  const [typed, setTyped] = useState<Record<string, string>>({});
  const settings = (vnfd?.settings ?? []).filter((setting) => setting.hidden);
  return {
    settings,
    valueOf: (name: string) => typed[name] ?? "",
    set: (name: string, raw: string | undefined) => setTyped({ ...typed, [name]: raw ?? "" }),
    params: Object.fromEntries(settings.map(({ name }) => [name, typed[name] ?? ""])),
    complete: settings.every(({ name, required }) => !required || typed[name]),
  };
}

const HELP: Record<PolicyName, string> = {
  snmpPolicy: t`With one, the router is managed, and adoption completes when it responds and its cards are in service.`,
  sshPolicy: t`With one, its configuration can be backed up and changed. Adoption loads no configuration.`,
  netconfPolicy: t`With one, NETCONF is used instead.`,
};

function useAdoption({ vim, row, onClose }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (body: AdoptRequest) => opOccView(await unclaimedAdopt(row.id, body)),
    onSuccess: (occ) => {
      void client.invalidateQueries({ queryKey: keys.unclaimed(vim.id) });
      void client.invalidateQueries({ queryKey: keys.vnfInstances });
      onClose();
      void navigate(pb.operation(occ.vnfInstanceId, occ.id));
    },
  });
}

/** An adoption is an instantiation that takes over a stack; the stack says which flavour it has. */
const asInstantiation = ({ vim, row }: Props, params: Record<string, unknown>): InstantiateRequest => ({
  flavourId: "",
  vimConnectionInfo: { vim1: { vimId: vim.id, vimType: VIM_TYPE } },
  additionalParams: { ...params, adoptStack: row.resourceId },
});

type Policies = Partial<Record<PolicyName, string>>;

function chosenPolicies(policies: Policies, name: PolicyName, value: string | undefined): Policies {
  const { [name]: _before, ...others } = policies;
  return value === undefined ? others : { ...others, [name]: value };
}

export function AdoptDialog(props: Props) {
  const { vim, row, onClose } = props;
  const id = useId();
  const { data: vnfds } = useQuery(q.vnfds());
  const fitting = (vnfds ?? []).filter((vnfd) => row.adoptableBy.includes(vnfd.vnfdId));
  const [chosen, setChosen] = useState("");
  const [name, setName] = useState(row.name);
  const vnfd = fitting.find((each) => each.vnfdId === chosen) ?? (fitting.length === 1 ? fitting[0] : undefined);
  const secrets = useSecrets(vnfd);
  const [policies, setPolicies] = useState<Policies>({});
  const params = { ...secrets.params, ...(vnfd?.element ? policyParams((each) => policies[each]) : {}) };
  const choices = usePlanRequest<"INSTANTIATE">(
    vnfd && secrets.complete
      ? { operation: "INSTANTIATE", vnfdId: vnfd.vnfdId, request: asInstantiation(props, params) }
      : undefined,
  );
  const adopt = useAdoption(props);
  const refusal = adopt.isError ? asProblem(adopt.error) : choices.failure;
  const { fields, rest } = splitFieldErrors(refusal?.errors, fieldOfPointer(vnfd));
  return (
    <Modal isOpen variant="large" elementToFocus="#adopt-vnfd" onClose={onClose} aria-labelledby={id}>
      <ModalHeader
        title={t`Adopt ${row.name}`}
        labelId={id}
        description={t`The stack becomes a VNF instance on ${vim.name}. Nothing changes in the cloud.`}
      />
      <ModalBody>
        <div className="vm-stack">
          <Form isHorizontal aria-label={t`Adopt`} onSubmit={(event) => event.preventDefault()}>
            <Field
              id="adopt-vnfd"
              label={t`Package`}
              required
              error={fields["vnfdId"]}
              help={t`Packages whose resources match the stack.`}
            >
              {(aria) => (
                <FormSelect {...aria} value={vnfd?.vnfdId ?? ""} onChange={(_event, value) => setChosen(value)}>
                  {fitting.length !== 1 && <FormSelectOption value="" label={t`Choose…`} />}
                  {fitting.map((each) => (
                    <FormSelectOption
                      key={each.vnfdId}
                      value={each.vnfdId}
                      label={t`${vnfdTitle(each)}, VNFD ${each.vnfdVersion}`}
                    />
                  ))}
                </FormSelect>
              )}
            </Field>
            <Field
              id="adopt-name"
              label={t`Name`}
              required
              error={fields["name"]}
              help={t`The VNF instance's name; unique.`}
            >
              {(aria) => (
                <TextInput {...aria} value={name} onChange={(_event, value) => setName(value)} autoComplete="off" />
              )}
            </Field>
            {secrets.settings.map((setting) => (
              <SettingField
                key={setting.name}
                setting={setting}
                raw={secrets.valueOf(setting.name)}
                error={fields[settingField(setting.name)]}
                onChange={(raw) => secrets.set(setting.name, raw)}
              />
            ))}
            {vnfd?.element && (
              <PolicyFields
                vnfd={vnfd}
                vimId={vim.id}
                help={HELP}
                valueOf={(each) => policies[each] ?? ""}
                errorOf={(each) => fields[settingField(each)]}
                onChange={(each, value) => setPolicies((all) => chosenPolicies(all, each, value))}
              />
            )}
          </Form>
          <PlanSection
            choices={choices}
            incomplete={vnfd ? t`Enter the hidden parameters to see the plan.` : t`Choose a package to see the plan.`}
            rest={rest}
          >
            {adopt.isError && <ProblemAlert error={adopt.error} rest={rest} />}
          </PlanSection>
        </div>
      </ModalBody>
      <ModalFooter>
        <Button
          isDisabled={!vnfd || !choices.ready || name.trim() === "" || adopt.isPending}
          isLoading={adopt.isPending}
          onClick={() =>
            vnfd && adopt.mutate({ vnfdId: vnfd.vnfdId, vnfInstanceName: name.trim(), additionalParams: params })
          }
        >
          <Trans>Adopt</Trans>
        </Button>
        <Button variant="link" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </ModalFooter>
    </Modal>
  );
}
