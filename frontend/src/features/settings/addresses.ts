import { t } from "@lingui/core/macro";
import type { AddressPlan, VimNetwork } from "@/api/types";
import { isCidr, isIpv4 } from "./validate";

const toNumber = (address: string): number => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);

const toText = (value: number): string => [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join(".");

interface Subnet {
  text: string;
  first: number;
  last: number;
  /** Network and broadcast address cannot be assigned. */
  reserved: boolean;
}

const LEAST_HOSTS_WITH_BROADCAST = 30;

function subnetOf(text: string): Subnet | undefined {
  const [address = "", prefix = ""] = text.trim().split("/");
  if (!isIpv4(address) || !isCidr(text.trim())) return undefined;
  const size = 2 ** (32 - Number(prefix));
  const first = Math.floor(toNumber(address) / size) * size;
  return { text: text.trim(), first, last: first + size - 1, reserved: Number(prefix) <= LEAST_HOSTS_WITH_BROADCAST };
}

function hostError(address: string, { text, first, last, reserved }: Subnet): string | undefined {
  const at = toNumber(address);
  if (at < first || at > last) return t`${address} is not in the network ${text}.`;
  if (reserved && at === first) return t`${address} is the network address of ${text}; use a host address.`;
  if (reserved && at === last) return t`${address} is the broadcast address of ${text}; use a host address.`;
  return undefined;
}

/** The messages are those of the server (`catalog.domain.settings`). Keys: setting. */
export function planErrors(
  plans: readonly AddressPlan[],
  valueOf: (name: string) => string,
): Record<string, string | undefined> {
  const errors: Record<string, string | undefined> = {};
  for (const plan of plans) {
    const subnet = subnetOf(valueOf(plan.cidr));
    if (!subnet) continue;
    const gateway = valueOf(plan.gateway).trim();
    const taken = new Map<string, string>();
    if (isIpv4(gateway)) errors[plan.gateway] ??= hostError(gateway, subnet);
    for (const name of plan.addresses) {
      const address = valueOf(name).trim();
      if (!isIpv4(address)) continue;
      const other = taken.get(address);
      errors[name] ??= hostError(address, subnet);
      if (address === gateway) errors[name] ??= t`${address} is the gateway's address.`;
      if (other !== undefined) errors[name] ??= t`${address} is already used by ${other}.`;
      taken.set(address, other ?? name);
    }
  }
  return errors;
}

/**
 * Each address keeps its host number in the new subnet; one that does not fit stays and is reported as an error.
 * Fixed addresses are IPv4, so nothing moves to an IPv6 subnet.
 */
export function moved(
  plan: AddressPlan,
  valueOf: (name: string) => string,
  { cidr, gatewayIp }: Pick<VimNetwork["subnets"][number], "cidr" | "gatewayIp">,
): Record<string, string> {
  const [from, to] = [subnetOf(valueOf(plan.cidr)), subnetOf(cidr)];
  if (!to) return {};
  const values: Record<string, string> = { [plan.cidr]: cidr };
  if (plan.gateway && gatewayIp) values[plan.gateway] = gatewayIp;
  for (const name of plan.addresses) {
    const address = valueOf(name).trim();
    const number = toNumber(address);
    if (!from || !isIpv4(address) || number < from.first || number > from.last) continue;
    const next = toText(to.first + number - from.first);
    if (next !== gatewayIp && hostError(next, to) === undefined) values[name] = next;
  }
  return values;
}
