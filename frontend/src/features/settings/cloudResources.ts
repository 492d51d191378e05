import { t } from "@lingui/core/macro";
import type { VimResources } from "@/api/types";
import { bytes } from "@/ui/format";

/** A network or image. */
export interface CloudChoice {
  id: string;
  name: string;
  /** Unique among the choices. */
  label: string;
  /** Heat and the plan refuse a name that two resources share. */
  isNameShared: boolean;
}

type Network = VimResources["networks"][number];
type Image = VimResources["images"][number];

const MOST_SUBNETS = 3;

function cidrsOf({ subnets }: Network): string {
  const cidrs = subnets.slice(0, MOST_SUBNETS).map(({ cidr }) => cidr);
  const more = subnets.length - cidrs.length;
  return cidrs.length === 0 ? t`no subnet` : more > 0 ? t`${cidrs.join(", ")} and ${more} more` : cidrs.join(", ");
}

function aboutNetwork(network: Network): string {
  const kinds = [network.external ? t`external` : "", network.shared ? t`shared` : ""].filter(Boolean);
  const state = network.status === "ACTIVE" ? [] : [network.status];
  return [cidrsOf(network), ...kinds, ...state].join("; ");
}

const aboutImage = ({ diskFormat, size, status }: Image): string =>
  [diskFormat, size > 0 ? bytes(size) : "", status === "active" ? "" : status].filter(Boolean).join(", ");

function choicesOf<Item extends { id: string; name: string }>(
  items: readonly Item[],
  about: (item: Item) => string,
): CloudChoice[] {
  const named = Map.groupBy(items, ({ name }) => name);
  return items.map((item) => {
    const isNameShared = (named.get(item.name)?.length ?? 0) > 1;
    const words = [about(item), isNameShared || item.name === "" ? item.id : ""].filter(Boolean).join("; ");
    return { id: item.id, name: item.name, label: `${item.name || t`unnamed`} (${words})`, isNameShared };
  });
}

/** A Neutron network need not have a name, and names need not be unique. */
export const networkChoices = (resources: VimResources | undefined): CloudChoice[] =>
  choicesOf(resources?.networks ?? [], aboutNetwork);

/** The same holds for Glance images. */
export const imageChoices = (resources: VimResources | undefined): CloudChoice[] =>
  choicesOf(resources?.images ?? [], aboutImage);

/** The name is sent, as users wrote it, unless it is ambiguous. */
export const valueOf = ({ id, name, isNameShared }: CloudChoice): string => (isNameShared || name === "" ? id : name);

/** Returns "many" for an ambiguous name, undefined if the cloud does not have it. */
export function resourceNamed(value: string, choices: readonly CloudChoice[]): CloudChoice | "many" | undefined {
  const found = choices.find(({ id }) => id === value) ?? choices.find(({ name }) => name === value);
  return found?.isNameShared && found.id !== value ? "many" : found;
}
