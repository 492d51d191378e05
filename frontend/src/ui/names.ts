import { t } from "@lingui/core/macro";
import type { UserRole } from "@/api/people";
import type { ManagedObjectType, Vnfd, VnfPackage } from "@/api/types";

export const ROLE_NAME: Record<UserRole, string> = {
  viewer: t`Viewer`,
  operator: t`Operator`,
  admin: t`Administrator`,
};

export function packageName(pkg: VnfPackage): string {
  const name = [pkg.vnfProvider, pkg.vnfProductName].filter(Boolean).join(" ");
  return name || t`Package ${pkg.id.slice(0, 8)}`;
}

/** Packages whose sources name no software version have this one. */
const NOT_STATED = "not stated";
export const vnfdTitle = ({
  provider,
  productName,
  softwareVersion,
}: Pick<Vnfd, "provider" | "productName" | "softwareVersion">): string =>
  [provider, productName, ...(softwareVersion === NOT_STATED ? [] : [softwareVersion])].join(" ");

/** SOL003 clause 7.5.2.4. */
export const OBJECT_TYPE: Record<ManagedObjectType, string> = {
  VNF_INSTANCE: t`VNF instance`,
  NETWORK_ELEMENT: t`Network element`,
  VIM: t`Cloud`,
  MANAGER: t`VNF manager`,
};

const WRITTEN: Record<string, string> = {
  bgp: "BGP",
  bfd: "BFD",
  cpu: "CPU",
  fib: "FIB",
  licence: "license",
  lldp: "LLDP",
  ospf: "OSPF",
  snmp: "SNMP",
  vdu: "VDU",
  vim: "cloud",
  vm: "VM",
  vnf: "VNF",
};

/** "underlyingResourceUnavailable" becomes "underlying resource unavailable". */
export const wordsOf = (name: string): string =>
  name.includes(" ")
    ? name
    : name
        .replace(/(?<=[a-z\d])(?=[A-Z])/g, " ")
        .split(" ")
        .map((word) => WRITTEN[word.toLowerCase()] ?? (/^[A-Z\d]+$/.test(word) ? word : word.toLowerCase()))
        .join(" ");

/** Keys: Nova's server status. */
const SERVER: Record<string, string> = {
  "status=MISSING": t`server missing`,
  "status=SHUTOFF": t`server stopped`,
  "status=ERROR": t`server in error`,
};
const MATE = /^Its mate (\S+) protects it\.$/;

/** "status=SHUTOFF" and "vdu=control" become "status SHUTOFF, VDU control". */
export const detailsText = (details: readonly string[]): string =>
  details
    .map(
      (each) =>
        SERVER[each] ?? each.replace(/(^|, )(\w+)=/g, (_, comma: string, name: string) => `${comma}${wordsOf(name)} `),
    )
    .map((each) => each.replace(/\b[A-Z]+(?:_[A-Z]+)+\b/g, (code) => code.toLowerCase().replaceAll("_", " ")))
    .map((each) => each.replace(MATE, (_, name: string) => t`protected by ${name} (1+1)`))
    .join(", ");

/** "VmDown" becomes "VM down". */
export function faultText(faultType: string): string {
  const words = wordsOf(faultType);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
