import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { FormSelect, FormSelectOption, FormSelectOptionGroup, TextInput } from "@patternfly/react-core";
import type { ReactNode } from "react";
import type { CloudFlavor, PlanFlavor, Vdu, VimNetwork } from "@/api/types";
import { memory, needsText } from "@/ui/format";
import { AddNetwork } from "./AddNetwork";
import { fieldId, settingField } from "./settingFields";
import { imageChoices, resourceNamed, networkChoices, valueOf, type CloudChoice } from "./cloudResources";
import { Field } from "@/ui/Field";
import { nameWarning } from "./namesOfCloud";
import { ownedText, type CloudResources } from "./useVimResources";
import { OriginNote, type SettingFieldProps } from "./SettingField";

interface Props extends SettingFieldProps {
  resources: CloudResources | undefined;
}

const sizeText = (flavor: CloudFlavor) =>
  t`${flavor.name} (${flavor.vcpus} vCPU, ${memory(flavor.memoryMib)}, ${flavor.diskGib} GiB)`;

function proposalText(proposal: PlanFlavor | undefined, required: boolean): string {
  if (!proposal) return required ? t`Choose a flavor…` : t`Chosen by the VNF manager`;
  if (proposal.flavorName && proposal.source === "matched") return t`Proposed: ${proposal.flavorName}`;
  return t`No flavor of the cloud fits`;
}

/** Lists the proposed flavor with the reason, then other suitable ones, then the rest of the cloud's. */
export function FlavorField({
  setting,
  raw,
  error,
  onChange,
  resources,
  vdu,
  proposal,
}: Props & { vdu: Vdu | undefined; proposal: PlanFlavor | undefined }) {
  const flavors = resources?.flavors ?? [];
  const fitting = flavors.filter((flavor) => proposal?.candidates.includes(flavor.name));
  const others = flavors.filter((flavor) => !fitting.includes(flavor));
  const known = raw === "" || flavors.some((flavor) => flavor.name === raw);
  // The needs depend on the deployment flavour, which the plan knows.
  const wanted = proposal?.needs ?? vdu?.needs;
  const needs = wanted ? needsText(wanted) : "";
  const id = fieldId(settingField(setting.name));
  const help = (
    <>
      {setting.description}{" "}
      {needs && (
        <>
          <Trans>Requires {needs}.</Trans>{" "}
        </>
      )}
      {proposal?.reason && <em>{proposal.reason}</em>}
    </>
  );
  return (
    <Field id={id} label={setting.label} required={setting.required} error={error} help={help}>
      {(aria) => (
        <FormSelect {...aria} value={raw} onChange={(_event, value) => onChange(value === "" ? undefined : value)}>
          <FormSelectOption value="" label={proposalText(proposal, setting.required)} />
          {!known && <FormSelectOption value={raw} label={t`${raw} (not in this cloud)`} />}
          {fitting.length > 0 && (
            <FormSelectOptionGroup label={t`Meet the requirements`}>
              {fitting.map((flavor) => (
                <FormSelectOption key={flavor.id} value={flavor.name} label={sizeText(flavor)} />
              ))}
            </FormSelectOptionGroup>
          )}
          {others.length > 0 && (
            <FormSelectOptionGroup label={proposal ? t`Do not meet the requirements` : t`Flavors of the cloud`}>
              {others.map((flavor) => (
                <FormSelectOption key={flavor.id} value={flavor.name} label={sizeText(flavor)} />
              ))}
            </FormSelectOptionGroup>
          )}
        </FormSelect>
      )}
    </Field>
  );
}

/** Suggests names of the cloud, such as zones, but accepts others, which may be newer. */
export function NameField({
  setting,
  raw,
  error,
  planned,
  onChange,
  onBlur,
  names,
}: SettingFieldProps & { names: readonly string[] }) {
  const id = fieldId(settingField(setting.name));
  return (
    <Field
      id={id}
      label={setting.label}
      required={setting.required}
      error={error}
      warning={nameWarning(setting, raw, names)}
      help={
        <>
          {setting.description} <OriginNote raw={raw} planned={planned} />
        </>
      }
    >
      {(aria) => (
        <>
          <TextInput
            {...aria}
            type="text"
            list={`${id}-names`}
            value={raw}
            placeholder={setting.required ? "" : t`Default of the cloud`}
            autoComplete="off"
            spellCheck={false}
            onBlur={onBlur}
            onChange={(_event, value) => onChange(value)}
          />
          <datalist id={`${id}-names`}>
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

interface PickProps extends Props {
  choices: readonly CloudChoice[];
  /** Texts for a name that several resources share: in the list and as an error. */
  twins: Record<"label" | "complaint", (name: string) => string>;
  empty: string;
  groupLabel: string;
  /** Returns why the resource cannot be chosen although the cloud has it. */
  notOffered?: ((raw: string) => string | undefined) | undefined;
  action?: ReactNode;
}

/** A value that is not in the list is kept and explained. */
function labelOfOther(raw: string, meant: CloudChoice | "many" | undefined, props: PickProps): string {
  if (!props.resources) return raw;
  if (meant === "many") return props.twins.label(raw);
  return props.notOffered?.(raw) ?? t`${raw} (not in this cloud)`;
}

function PickField(props: PickProps) {
  const { setting, raw, error, planned, onChange, choices, twins, empty, groupLabel } = props;
  const meant = raw === "" ? undefined : resourceNamed(raw, choices);
  const unclear = meant === "many" ? twins.complaint(raw) : undefined;
  const one = meant === "many" ? undefined : meant;
  return (
    <Field
      id={fieldId(settingField(setting.name))}
      label={setting.label}
      required={setting.required}
      error={error ?? unclear}
      help={
        <>
          {setting.description} <OriginNote raw={raw} planned={planned} />
        </>
      }
      action={props.action}
    >
      {(aria) => (
        <FormSelect {...aria} value={raw} onChange={(_event, value) => onChange(value)}>
          <FormSelectOption value="" label={empty} />
          {raw !== "" && !one && <FormSelectOption value={raw} label={labelOfOther(raw, meant, props)} />}
          {choices.length > 0 && (
            <FormSelectOptionGroup label={groupLabel}>
              {choices.map((choice) => (
                // A resource that was chosen by its id keeps the id.
                <FormSelectOption key={choice.id} value={choice === one ? raw : valueOf(choice)} label={choice.label} />
              ))}
            </FormSelectOptionGroup>
          )}
        </FormSelect>
      )}
    </Field>
  );
}

interface NetworkProps extends Props {
  /** Called after the new network was chosen. */
  onMade: (network: VimNetwork) => void;
}

/** Chooses the network by its name, unless another network has the same name. */
function NewNetwork({ setting, resources, onChange, onMade }: NetworkProps) {
  if (!resources?.vimId) return null;
  return (
    <AddNetwork
      vimId={resources.vimId}
      field={setting.label}
      onMade={(network) => {
        const { id, name } = network;
        const isTaken = resources.networks.some((each) => each.id !== id && each.name === name);
        onChange(isTaken ? id : name);
        onMade(network);
      }}
    />
  );
}

/** `isOuter`: the network connects the VNF with others, so that an existing one is usual. */
export const NetworkField = ({ isOuter, onMade, ...props }: NetworkProps & { isOuter: boolean }) => (
  <PickField
    {...props}
    choices={networkChoices(props.resources)}
    action={isOuter && <NewNetwork {...props} onMade={onMade} />}
    twins={{
      label: (name) => t`${name} (several networks have this name)`,
      complaint: (name) => t`Several networks of this cloud are named ${name}. Choose one.`,
    }}
    empty={props.setting.required ? t`Choose a network…` : t`Created by the stack`}
    groupLabel={t`Existing networks of the cloud`}
    notOffered={(raw) => {
      const owned = props.resources?.ownedNetworks?.find(({ id, name }) => id === raw || name === raw);
      return owned && ownedText(owned);
    }}
  />
);

export const ImageField = (props: Props) => (
  <PickField
    {...props}
    choices={imageChoices(props.resources)}
    twins={{
      label: (name) => t`${name} (several images have this name)`,
      complaint: (name) => t`Several images of this cloud are named ${name}. Choose one.`,
    }}
    empty={props.setting.required ? t`Choose an image…` : t`The image of the package`}
    groupLabel={t`Images of the cloud`}
  />
);
