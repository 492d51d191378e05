import { t } from "@lingui/core/macro";
import type { Vnfd } from "@/api/types";

export const VIM_TYPE = "ETSINFV.OPENSTACK_KEYSTONE.V_3";
/** The key in `additionalParams` that stands for the agreement to create missing flavors. */
export const CREATE_FLAVORS = "createFlavors";

/** Keys in `additionalParams` that name the mediation policies of the VNF's network element, and their protocols. */
export const POLICIES = [
  { name: "snmpPolicy", label: t`SNMP policy`, protocols: ["SNMPv2c", "SNMPv3"] },
  { name: "sshPolicy", label: t`SSH policy`, protocols: ["SSH"] },
  { name: "netconfPolicy", label: t`NETCONF policy`, protocols: ["NETCONF"] },
] as const;
export type PolicyName = (typeof POLICIES)[number]["name"];
/** Chosen as the SNMP policy: the element is not managed, though a management profile fits. No policy has this name. */
export const UNMANAGED = " ";

/** The chosen policies as `additionalParams`; null stands for no management. */
export function policyParams(valueOf: (name: PolicyName) => string | undefined): Record<string, string | null> {
  if (valueOf("snmpPolicy") === UNMANAGED) return { snmpPolicy: null };
  const chosen = POLICIES.map(({ name }) => [name, valueOf(name)] as const);
  return Object.fromEntries(chosen.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

export const settingField = (name: string): string => `setting:${name}`;
/** The DOM id of a field's input, for labels and for moving the focus. */
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

/** Which field of the wizard a JSON pointer of the API means. */
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
