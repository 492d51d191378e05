import { t } from "@lingui/core/macro";
import { Form, FormSelect, FormSelectOption } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { q } from "@/api/queries";
import type { ChangeExtConnRequest, InstanceNetwork, Setting, VimNetwork, VnfInstance, Vnfd } from "@/api/types";
import { AddNetwork } from "@/features/settings/AddNetwork";
import { settingField } from "@/features/settings/settingFields";
import { OperationDialog } from "./OperationDialog";
import { networkChoices, type CloudChoice } from "@/features/settings/cloudResources";
import { Field } from "@/ui/Field";
import { SettingsSection } from "@/features/settings/SettingsSection";
import { movedSettings } from "@/features/settings/subnets";
import { ownedText, useVimResources, type CloudResources } from "@/features/settings/useVimResources";
import { useChanges } from "@/features/settings/useChanges";

type Link = Vnfd["virtualLinks"][number];

interface External {
  link: Link;
  network: InstanceNetwork | undefined;
  cpdIds: string[];
}

function externalsOf(instance: VnfInstance, vnfd: Vnfd | undefined): External[] {
  const links = vnfd?.virtualLinks.filter((link) => !link.internal && link.networkParameter) ?? [];
  return links.map((link) => {
    const network = instance.networks.find((each) => each.vlId === link.id);
    const ports = instance.vnfcs.flatMap((vnfc) => vnfc.ports).filter((port) => port.networkId === network?.id);
    return { link, network, cpdIds: [...new Set(ports.map((port) => port.cpId))] };
  });
}

/**
 * The request contains only changed links (SOL003 5.5.2.11). A link without a port is identified by the link and not
 * by its CPs.
 */
function linksOf(externals: External[], chosen: Record<string, string>): ChangeExtConnRequest["extVirtualLinks"] {
  const changed = externals.filter(({ link, network }) => chosen[link.id] && chosen[link.id] !== network?.id);
  return changed.map(({ link, cpdIds }) => ({
    id: link.id,
    resourceId: chosen[link.id] ?? "",
    extCps: (cpdIds.length > 0 ? cpdIds : [link.id]).map((cpdId) => ({ cpdId })),
  }));
}

/** Keys: parameter of the network. */
const pickedOf = (externals: External[], chosen: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    externals.map(({ link, network }) => [link.networkParameter, chosen[link.id] ?? network?.id ?? ""]),
  );

/** Fixed addresses must be in the subnet of the network. */
const isAddress = ({ format }: Setting): boolean => format === "ipv4" || format === "cidr";

interface NetworkProps {
  vimId: string | null;
  external: External;
  networks: readonly CloudChoice[];
  /** Networks that belong to other VNFs. */
  owned: CloudResources["ownedNetworks"];
  value: string | undefined;
  error: string | undefined;
  onChange: (networkId: string) => void;
  /** Called after the new network was chosen. */
  onMade: (network: VimNetwork) => void;
}

function NetworkOf(props: NetworkProps) {
  const { vimId, networks, owned, value, error, onChange, onMade } = props;
  const { link, network } = props.external;
  const present = networks.find((each) => each.id === network?.id);
  const other = owned?.find(({ id }) => id === network?.id);
  const known = present?.name ?? (other ? ownedText(other) : network?.id);
  return (
    <Field
      id={`connect-${link.id}`}
      label={link.name}
      error={error}
      help={t`${link.description} Currently ${known ?? t`no network`}.`}
      action={
        vimId && (
          <AddNetwork
            vimId={vimId}
            field={link.name}
            onMade={(made) => {
              onChange(made.id);
              onMade(made);
            }}
          />
        )
      }
    >
      {(aria) => (
        <FormSelect {...aria} value={value ?? network?.id ?? ""} onChange={(_event, id) => onChange(id)}>
          {!present && <FormSelectOption value={network?.id ?? ""} label={known ?? t`Choose a network…`} />}
          {networks.map(({ id, label }) => (
            <FormSelectOption key={id} value={id} label={label} />
          ))}
        </FormSelect>
      )}
    </Field>
  );
}

export function ChangeExtConnDialog({ instance, onClose }: { instance: VnfInstance; onClose: () => void }) {
  const { data: vnfd } = useQuery(q.vnfd(instance.vnfdId));
  const resources = useVimResources(instance.vimId, instance.id);
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const changes = useChanges(vnfd, instance.settings);
  const externals = externalsOf(instance, vnfd);
  const extVirtualLinks = linksOf(externals, chosen);
  const request: ChangeExtConnRequest = {
    extVirtualLinks,
    ...(changes.params ? { additionalParams: changes.params } : {}),
  };
  const addresses = vnfd?.settings.filter(isAddress) ?? [];
  const correct = Object.keys(changes.complaints).length === 0;
  function move({ link }: External, { subnets: [subnet] }: VimNetwork) {
    if (!vnfd) return;
    const form = { vnfd, settings: addresses, valueOf: changes.valueOf, resources };
    const settings = movedSettings(form, subnet, ({ virtualLinkId }) => virtualLinkId === link.id);
    for (const [name, raw] of settings) changes.set(name, raw);
  }
  const changed = extVirtualLinks.length > 0 || changes.count > 0;
  function fieldOf([head = "", name = ""]: string[]): string | undefined {
    if (head === "extVirtualLinks") return extVirtualLinks[Number(name)]?.id;
    if (head !== "additionalParams") return undefined;
    const external = externals.find(({ link }) => link.networkParameter === name);
    return external?.link.id ?? (addresses.some((each) => each.name === name) ? settingField(name) : undefined);
  }
  return (
    <OperationDialog
      instance={instance}
      operation="CHANGE_EXT_CONN"
      request={changed && correct ? request : undefined}
      title={t`Change connectivity of ${instance.name}`}
      button={t`Change connectivity`}
      incomplete={
        vnfd && externals.length === 0
          ? t`No external virtual link of this VNFD has a network parameter.`
          : correct
            ? t`Choose another network to see the plan.`
            : t`Correct the addresses to see the plan.`
      }
      fieldOf={fieldOf}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Form isHorizontal aria-label={t`Change connectivity`} onSubmit={(event) => event.preventDefault()}>
            {externals.map((external) => (
              <NetworkOf
                key={external.link.id}
                vimId={instance.vimId}
                external={external}
                networks={networkChoices(resources)}
                owned={resources?.ownedNetworks}
                value={chosen[external.link.id]}
                error={errors[external.link.id]}
                onChange={(id) => setChosen((all) => ({ ...all, [external.link.id]: id }))}
                onMade={(made) => move(external, made)}
              />
            ))}
          </Form>
          {vnfd && addresses.length > 0 && (
            <SettingsSection
              title={t`Addresses`}
              instance={instance}
              vnfd={vnfd}
              settings={addresses}
              changes={changes}
              picked={pickedOf(externals, chosen)}
              errors={errors}
              proposals={[]}
            />
          )}
        </>
      )}
    </OperationDialog>
  );
}
