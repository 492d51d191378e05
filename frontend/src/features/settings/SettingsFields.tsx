import { t } from "@lingui/core/macro";
import type { FieldErrors } from "@/api/problem";
import type { AddressPlan, PlanFlavor, Setting, VimResources, Vnfd } from "@/api/types";
import { settingField } from "./settingFields";
import { FlavorField, ImageField, NameField, NetworkField } from "./ResourceFields";
import { namesOf } from "./namesOfCloud";
import type { PlannedSettings } from "./plannedSettings";
import { SettingField } from "./SettingField";
import { cidrsToTake, movedSettings, pickedNetworks, subnetError } from "./subnets";
import type { CloudResources } from "./useVimResources";
import { choicesOf, settingError, type Raw } from "./validate";

interface Props {
  vnfd: Vnfd;
  /** The VNFD's settings that can be changed here. */
  settings: readonly Setting[];
  /** Without this, all settings are shown. */
  isShown?: (name: string) => boolean;
  valueOf: (setting: Setting) => Raw;
  errors: FieldErrors;
  /** Networks that were chosen outside the settings. Keys: parameter. */
  picked?: Readonly<Record<string, string>> | undefined;
  resources: CloudResources | undefined;
  /** Help text of settings whose value is hidden. */
  secretNote?: string;
  /** Flavors that a plan proposes. */
  proposals: readonly PlanFlavor[];
  /** Values that a plan found. */
  planned?: PlannedSettings;
  onChange: (name: string, raw: Raw | undefined) => void;
  /** Called with the error of a field that was left. */
  onComplaint?: (field: string, complaint: string) => void;
}

type Network = VimResources["networks"][number];

interface OneProps extends Props {
  setting: Setting;
  /** The chosen network of the cloud to which the subnet belongs. */
  network: Network | undefined;
}

/** Moves the addresses of the plans together with their subnet. */
function move(form: Props, subnet: Network["subnets"][number] | undefined, isOf: (plan: AddressPlan) => boolean) {
  for (const [name, raw] of movedSettings(form, subnet, isOf)) form.onChange(name, raw);
}

const offerOf = (form: Props, setting: Setting, network: Network) => ({
  title: t`Use a subnet of ${network.name || network.id}:`,
  values: cidrsToTake(network),
  onTake: (taken: string) => {
    const subnet = network.subnets.find(({ cidr }) => cidr === taken);
    move(form, subnet, ({ cidr }) => cidr === setting.name);
  },
});

function OneSetting({ setting, network, ...form }: OneProps) {
  const { vnfd, valueOf, errors, resources, proposals, onChange, onComplaint } = form;
  const raw = valueOf(setting);
  const field = settingField(setting.name);
  const props = {
    setting,
    raw,
    error: errors[field] ?? (network && subnetError(form, setting, network)),
    note: setting.hidden ? form.secretNote : undefined,
    planned: form.planned?.get(setting.name),
    offer: network && offerOf(form, setting, network),
    onChange: (next: Raw | undefined) => onChange(setting.name, next),
    onBlur: () => {
      const complaint = settingError(setting, raw);
      if (complaint) onComplaint?.(field, complaint);
    },
  };
  if (setting.format === "flavor") {
    return (
      <FlavorField
        {...props}
        resources={resources}
        vdu={vnfd.vdus.find((vdu) => vdu.flavorParameter === setting.name)}
        proposal={proposals.find((proposal) => proposal.parameter === setting.name)}
      />
    );
  }
  if (setting.format === "network") {
    const link = vnfd.virtualLinks.find(({ networkParameter }) => networkParameter === setting.name);
    return (
      <NetworkField
        {...props}
        resources={resources}
        isOuter={!link?.internal}
        onMade={({ subnets: [subnet] }) => move(form, subnet, ({ virtualLinkId }) => virtualLinkId === link?.id)}
      />
    );
  }
  if (setting.format === "image") return <ImageField {...props} resources={resources} />;
  const names = choicesOf(setting) ? undefined : namesOf(setting, resources);
  if (names) return <NameField {...props} names={names} />;
  return <SettingField {...props} />;
}

export function SettingsFields(props: Props) {
  const { settings: all, isShown = () => true } = props;
  const groups = Map.groupBy(
    all.filter(({ name }) => isShown(name)),
    (setting) => setting.group || t`General`,
  );
  const networks = pickedNetworks(props);
  return [...groups].map(([group, settings]) => (
    <fieldset key={group} className="vm-group">
      <legend>{group}</legend>
      {settings.map((setting) => (
        <OneSetting key={setting.name} setting={setting} network={networks.get(setting.name)} {...props} />
      ))}
    </fieldset>
  ));
}
