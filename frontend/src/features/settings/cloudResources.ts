import { t } from "@lingui/core/macro";
import type { VimResources } from "@/api/types";
import { bytes } from "@/ui/format";

/** One of a cloud's networks or images, as it is picked. */
export interface CloudChoice {
  id: string;
  name: string;
  /** What tells it from the others. */
  label: string;
  /** Another has the same name, by which Heat and the plan refuse both. */
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

/** Neutron's names need be neither unique nor there. */
export const networkChoices = (resources: VimResources | undefined): CloudChoice[] =>
  choicesOf(resources?.networks ?? [], aboutNetwork);

/** Nor need Glance's. */
export const imageChoices = (resources: VimResources | undefined): CloudChoice[] =>
  choicesOf(resources?.images ?? [], aboutImage);

/** What is sent of a choice: its name, as people wrote it, unless that leaves open which one is meant. */
export const valueOf = ({ id, name, isNameShared }: CloudChoice): string => (isNameShared || name === "" ? id : name);

/** The one that a value means; "many" for a name that several have, undefined for what the cloud does not have. */
export function resourceNamed(value: string, choices: readonly CloudChoice[]): CloudChoice | "many" | undefined {
  const found = choices.find(({ id }) => id === value) ?? choices.find(({ name }) => name === value);
  return found?.isNameShared && found.id !== value ? "many" : found;
}
