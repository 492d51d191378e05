/** Addresses as numbers, to tell who is on the link of an interface. */

const V4_BITS = 32;
const V6_BITS = 128;
const V6_GROUPS = 8;

interface Address {
  bits: typeof V4_BITS | typeof V6_BITS;
  value: bigint;
}

function v4(text: string): bigint | undefined {
  const octets = text.split(".");
  if (octets.length !== 4 || octets.some((each) => !/^\d{1,3}$/.test(each) || Number(each) > 255)) return undefined;
  return octets.reduce((sum, each) => sum * 256n + BigInt(each), 0n);
}

const groupsOf = (text: string): string[] => (text === "" ? [] : text.split(":"));

function v6(text: string): bigint | undefined {
  const [head = "", tail, more] = text.split("::");
  const [before, after] = [groupsOf(head), groupsOf(tail ?? "")];
  const left = V6_GROUPS - before.length - after.length;
  if (more !== undefined || (tail === undefined ? left !== 0 : left < 1)) return undefined;
  const groups = [...before, ...Array.from({ length: left }, () => "0"), ...after];
  if (groups.some((each) => !/^[0-9a-f]{1,4}$/i.test(each))) return undefined;
  return groups.reduce((sum, each) => sum * 65_536n + BigInt(`0x${each}`), 0n);
}

function parsed(text: string): Address | undefined {
  const isV6 = text.includes(":");
  const value = isV6 ? v6(text.replace(/%.*$/, "")) : v4(text);
  return value === undefined ? undefined : { bits: isV6 ? V6_BITS : V4_BITS, value };
}

/** Whether an address is in the network of an interface's own, as 192.0.2.1/24; what is no address is in none. */
export function isInNetwork(address: string, own: string): boolean {
  const [ownAddress = "", length = ""] = own.split("/");
  const [there, here] = [parsed(address), parsed(ownAddress)];
  if (!there || here?.bits !== there.bits) return false;
  const fixed = length === "" ? here.bits : Number(length);
  if (!Number.isInteger(fixed) || fixed < 0 || fixed > here.bits) return false;
  const free = BigInt(here.bits - fixed);
  return here.value >> free === there.value >> free;
}
