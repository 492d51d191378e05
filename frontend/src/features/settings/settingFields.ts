import { t } from "@lingui/core/macro";
import type { Vnfd } from "@/api/types";

export const VIM_TYPE = "ETSINFV.OPENSTACK_KEYSTONE.V_3";
/** The key in `additionalParams` with which the user agrees to create missing flavors. */
export const CREATE_FLAVORS = "createFlavors";

/** Keys in `additionalParams` of the mediation policies of the VNF's network element. */
export const POLICIES = [
  { name: "snmpPolicy", label: t`SNMP policy`, protocols: ["SNMPv2c", "SNMPv3"] },
  { name: "sshPolicy", label: t`SSH policy`, protocols: ["SSH"] },
  { name: "netconfPolicy", label: t`NETCONF policy`, protocols: ["NETCONF"] },
] as const;
export type PolicyName = (typeof POLICIES)[number]["name"];
/**
 * An SNMP policy cannot have this name: it means that the element is not managed although a management profile fits.
 */
export const UNMANAGED = " ";

/** null means that the element is not managed. */
export function policyParams(valueOf: (name: PolicyName) => string | undefined): Record<string, string | null> {
  if (valueOf("snmpPolicy") === UNMANAGED) return { snmpPolicy: null };
  const chosen = POLICIES.map(({ name }) => [name, valueOf(name)] as const);
  return Object.fromEntries(chosen.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

export const settingField = (name: string): string => `setting:${name}`;
/** Labels and the focus refer to the input by this id. */
export const fieldId = (field: string): string => `field-${field.replace(/[^\w-]/g, "-")}`;

const DIRECT: Record<string, string> = {
  vnfInstanceName: "name",
  vnfInstanceDescription: "description",
  flavourId: "flavourId",
  instantiationLevelId: "levelId",
  targetScaleLevelInfo: "levelId",
  vimConnectionInfo: "vimId",
  vnfdId: "vnfdId",
};

/** Maps a JSON pointer of the API to a field of the wizard. */
export function fieldOfPointer(vnfd: Vnfd | undefined): (parts: string[]) => string | undefined {
  return ([head = "", name = ""]) => {
    if (head !== "additionalParams") return DIRECT[head];
    const known =
      name === CREATE_FLAVORS ||
      POLICIES.some((policy) => policy.name === name) ||
      vnfd?.settings.some((setting) => setting.name === name);
    return known ? settingField(name) : undefined;
  };
}
