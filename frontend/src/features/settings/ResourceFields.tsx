import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { FormSelect, FormSelectOption, FormSelectOptionGroup } from "@patternfly/react-core";
import type { CloudFlavor, PlanFlavor, Vdu, VimResources } from "@/api/types";
import { memory, needsText } from "@/ui/format";
import { fieldId, settingField } from "./settingFields";
import { imageChoices, resourceNamed, networkChoices, valueOf, type CloudChoice } from "./cloudResources";
import { Field } from "@/ui/Field";
import type { SettingFieldProps } from "./SettingField";

interface Props extends SettingFieldProps {
  resources: VimResources | undefined;
}

const sizeText = (flavor: CloudFlavor) =>
  t`${flavor.name} (${flavor.vcpus} vCPU, ${memory(flavor.memoryMib)}, ${flavor.diskGib} GiB)`;

function proposalText(proposal: PlanFlavor | undefined, required: boolean): string {
  if (!proposal) return required ? t`Choose a flavor…` : t`Chosen by the VNF manager`;
  if (proposal.flavorName && proposal.source === "matched") return t`Proposed: ${proposal.flavorName}`;
  return t`No flavor of the cloud fits`;
}

/** The flavor of a VDU: proposed with its why, the others that would do, then all the rest of the cloud. */
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
  // Those of the chosen deployment flavour, once a plan has said them.
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

/** A name of the cloud, such as a zone; another value is kept. */
export function NameField({ setting, raw, error, onChange, names }: SettingFieldProps & { names: readonly string[] }) {
  return (
    <Field
      id={fieldId(settingField(setting.name))}
      label={setting.label}
      required={setting.required}
      error={error}
      help={setting.description}
    >
      {(aria) => (
        <FormSelect {...aria} value={raw} onChange={(_event, value) => onChange(value)}>
          <FormSelectOption value="" label={setting.required ? t`Choose…` : t`Default of the cloud`} />
          {raw !== "" && !names.includes(raw) && <FormSelectOption value={raw} label={raw} />}
          {names.map((name) => (
            <FormSelectOption key={name} value={name} label={name} />
          ))}
        </FormSelect>
      )}
    </Field>
  );
}

interface PickProps extends Props {
  choices: readonly CloudChoice[];
  /** That several of them have the name that is given: of the name, and as a complaint. */
  twins: Record<"label" | "complaint", (name: string) => string>;
  empty: string;
  groupLabel: string;
}

/** A value that is no choice is kept, with the reason. */
function labelOfOther(raw: string, meant: CloudChoice | "many" | undefined, { resources, twins }: PickProps): string {
  if (!resources) return raw;
  return meant === "many" ? twins.label(raw) : t`${raw} (not in this cloud)`;
}

function PickField(props: PickProps) {
  const { setting, raw, error, onChange, choices, twins, empty, groupLabel } = props;
  const meant = raw === "" ? undefined : resourceNamed(raw, choices);
  const unclear = meant === "many" ? twins.complaint(raw) : undefined;
  const one = meant === "many" ? undefined : meant;
  return (
    <Field
      id={fieldId(settingField(setting.name))}
      label={setting.label}
      required={setting.required}
      error={error ?? unclear}
      help={setting.description}
    >
      {(aria) => (
        <FormSelect {...aria} value={raw} onChange={(_event, value) => onChange(value)}>
          <FormSelectOption value="" label={empty} />
          {raw !== "" && !one && <FormSelectOption value={raw} label={labelOfOther(raw, meant, props)} />}
          {choices.length > 0 && (
            <FormSelectOptionGroup label={groupLabel}>
              {choices.map((choice) => (
                // What was chosen before by its id stays so.
                <FormSelectOption key={choice.id} value={choice === one ? raw : valueOf(choice)} label={choice.label} />
              ))}
            </FormSelectOptionGroup>
          )}
        </FormSelect>
      )}
    </Field>
  );
}

export const NetworkField = (props: Props) => (
  <PickField
    {...props}
    choices={networkChoices(props.resources)}
    twins={{
      label: (name) => t`${name} (several networks have this name)`,
      complaint: (name) => t`Several networks of this cloud are named ${name}. Choose one.`,
    }}
    empty={props.setting.required ? t`Choose a network…` : t`Created by the stack`}
    groupLabel={t`Existing networks of the cloud`}
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
