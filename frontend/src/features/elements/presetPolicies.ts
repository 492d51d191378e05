import type { MediationPolicy, NetworkElement, Protocol } from "@/api/types";

interface Address {
  bits: number;
  value: bigint;
}

const joined = (parts: readonly number[], bits: number): bigint =>
  parts.reduce((sum, part) => (sum << BigInt(bits)) + BigInt(part), 0n);

/** Returns size and value of an IPv4 or IPv6 address, or undefined for other text. */
function addressOf(text: string): Address | undefined {
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) {
    const parts = text.split(".").map(Number);
    return parts.every((part) => part < 256) ? { bits: 32, value: joined(parts, 8) } : undefined;
  }
  // The browser validates an IPv6 address and writes it in its shortest form.
  if (!text.includes(":") || !URL.canParse(`http://[${text}]`)) return undefined;
  const [head, tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::");
  const groups = (half = "") =>
    half
      .split(":")
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  const [before, after] = [groups(head), groups(tail)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return { bits: 128, value: joined([...before, ...zeros, ...after], 16) };
}

export function hasAddress(networks: readonly string[], text: string): boolean {
  const address = addressOf(text);
  if (!address) return false;
  return networks.some((network) => {
    const [first = "", prefix] = network.split("/");
    const base = addressOf(first);
    if (base?.bits !== address.bits) return false;
    const rest = BigInt(base.bits - Number(prefix ?? base.bits));
    return address.value >> rest === base.value >> rest;
  });
}

type Choices = Pick<NetworkElement, "snmpPolicyId" | "sshPolicyId" | "netconfPolicyId">;

/**
 * Suggests the policies of the router that was registered last, otherwise the only one of its protocol, if its
 * secrets may be sent to this address. NETCONF replaces the command line, so only a router of the same kind suggests
 * it.
 */
export function presetPolicies(
  address: string,
  policies: readonly MediationPolicy[],
  last: Choices | undefined,
): Record<keyof Choices, string> {
  const fitting = policies.filter(({ networks }) => hasAddress(networks, address.trim()));
  const choice = (id: string | null | undefined, ...protocols: Protocol[]): string => {
    if (fitting.some((policy) => policy.id === id)) return id ?? "";
    const same = fitting.filter(({ protocol }) => protocols.includes(protocol));
    return same.length === 1 ? (same[0]?.id ?? "") : "";
  };
  return {
    snmpPolicyId: choice(last?.snmpPolicyId, "SNMPv2c", "SNMPv3"),
    sshPolicyId: choice(last?.sshPolicyId, "SSH"),
    netconfPolicyId: choice(last?.netconfPolicyId),
  };
}
