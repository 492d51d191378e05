/** Fixed addresses of a VNF must be in a subnet of the network that the user picked. */
import { t } from "@lingui/core/macro";
import type { AddressPlan, Setting, VimResources, Vnfd } from "@/api/types";
import { moved } from "./addresses";
import { resourceNamed, networkChoices } from "./cloudResources";
import { isCidr, rawOf, type Raw } from "./validate";

type Network = VimResources["networks"][number];

interface Form {
  vnfd: Vnfd;
  /** The shown settings; a network that is picked elsewhere is unknown here. */
  settings: readonly Setting[];
  valueOf: (setting: Setting) => Raw;
  /** Networks that were chosen outside the settings. Keys: parameter. */
  picked?: Readonly<Record<string, string>> | undefined;
  resources: VimResources | undefined;
}

/** An empty setting is deployed with its default. */
function deployed({ settings, valueOf }: Form, name: string | undefined): Raw {
  const setting = settings.find((each) => each.name === name);
  return setting ? valueOf(setting).trim() || rawOf(setting.default) : "";
}

/** Keys: setting of the subnet; values: picked network of the cloud. */
export function pickedNetworks(form: Form): ReadonlyMap<string, Network> {
  const { vnfd, resources } = form;
  const choices = networkChoices(resources);
  const picked = new Map<string, Network>();
  for (const { cidr, virtualLinkId } of vnfd.addressPlans) {
    const link = vnfd.virtualLinks.find(({ id }) => id === virtualLinkId);
    const value = form.picked?.[link?.networkParameter ?? ""] ?? deployed(form, link?.networkParameter);
    const meant = value === "" ? undefined : resourceNamed(value, choices);
    const network = resources?.networks.find(({ id }) => meant !== "many" && id === meant?.id);
    if (network) picked.set(cidr, network);
  }
  return picked;
}

/**
 * The message is that of the plan (`network_errors` in `catalog.domain.settings`). It does not prevent a plan,
 * because the cloud may have got the subnet since it was last read.
 */
export function subnetError(form: Form, setting: Setting, { name, id, subnets }: Network): string | undefined {
  const cidr = deployed(form, setting.name);
  const cidrs = subnets.map((subnet) => subnet.cidr);
  if (!isCidr(cidr) || cidrs.length === 0 || cidrs.includes(cidr)) return undefined;
  return t`Network ${name || id} has no subnet ${cidr}, but ${cidrs.join(", ")}.`;
}

/** The result is empty if the network has no subnet. */
export function movedSettings(
  form: Form,
  subnet: Network["subnets"][number] | undefined,
  isConcerned: (plan: AddressPlan) => boolean,
): [name: string, raw: Raw][] {
  if (!subnet) return [];
  const plans = form.vnfd.addressPlans.filter(isConcerned);
  return plans.flatMap((plan) => Object.entries(moved(plan, (name) => deployed(form, name), subnet)));
}

/** Fixed addresses are IPv4. */
export const cidrsToTake = ({ subnets }: Network): string[] =>
  subnets.filter(({ ipVersion }) => ipVersion === 4).map(({ cidr }) => cidr);
