/** Subnets of the networks that were picked in the cloud, which the addresses of a VNF on them have to be in. */
import { t } from "@lingui/core/macro";
import type { AddressPlan, Setting, VimResources, Vnfd } from "@/api/types";
import { moved } from "./addresses";
import { resourceNamed, networkChoices } from "./cloudResources";
import { isCidr, rawOf, type Raw } from "./validate";

type Network = VimResources["networks"][number];

interface Form {
  vnfd: Vnfd;
  /** Those that are shown: a network that is picked elsewhere, or nowhere, is not known here. */
  settings: readonly Setting[];
  valueOf: (setting: Setting) => Raw;
  /** Networks that are chosen next to the settings, by the parameter that each goes into. */
  picked?: Readonly<Record<string, string>> | undefined;
  resources: VimResources | undefined;
}

/** The value that is deployed: what is left empty has its default. */
function deployed({ settings, valueOf }: Form, name: string | undefined): Raw {
  const setting = settings.find((each) => each.name === name);
  return setting ? valueOf(setting).trim() || rawOf(setting.default) : "";
}

/** By the settings that hold a subnet of fixed addresses: the network of the cloud that was picked for these. */
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
 * Why a subnet is none of its network, as the plan would say it (`network_errors` in `catalog.domain.settings`). It does
 * not keep anybody from a plan: that asks the cloud itself, which may have got the subnet since it was last read.
 */
export function subnetError(form: Form, setting: Setting, { name, id, subnets }: Network): string | undefined {
  const cidr = deployed(form, setting.name);
  const cidrs = subnets.map((subnet) => subnet.cidr);
  if (!isCidr(cidr) || cidrs.length === 0 || cidrs.includes(cidr)) return undefined;
  return t`Network ${name || id} has no subnet ${cidr}, but ${cidrs.join(", ")}.`;
}

/** The settings that plans have in another subnet of their network; none without one. */
export function movedSettings(
  form: Form,
  subnet: Network["subnets"][number] | undefined,
  isConcerned: (plan: AddressPlan) => boolean,
): [name: string, raw: Raw][] {
  if (!subnet) return [];
  const plans = form.vnfd.addressPlans.filter(isConcerned);
  return plans.flatMap((plan) => Object.entries(moved(plan, (name) => deployed(form, name), subnet)));
}

/** Its subnets that a setting may take: fixed addresses are IPv4. */
export const cidrsToTake = ({ subnets }: Network): string[] =>
  subnets.filter(({ ipVersion }) => ipVersion === 4).map(({ cidr }) => cidr);
