import { t } from "@lingui/core/macro";
import { NEW_NETCONF_POLICY, NEW_SNMP_POLICY, NEW_SSH_POLICY } from "@/features/administration/mediationPolicies";
import { NEW_SITE } from "@/features/administration/siteRecords";
import { HOSTS, INSTANCES, policies, SITES } from "@/records/optionSources";
import type { FieldSpec } from "@/records/fields";
import type { Option } from "@/ui/SearchSelect";

const KINDS: readonly Option[] = [
  ["PHYSICAL", t`Physical router`],
  ["VIRTUAL", t`Virtual router`],
];

/** What is asked of an element when it is registered or edited. */
export const ELEMENT_FIELDS: readonly FieldSpec[] = [
  { kind: "text", name: "name", label: t`Name`, required: true, help: t`Display name.` },
  { kind: "text", name: "managementAddress", label: t`Management address`, required: true, help: t`IPv4 or IPv6.` },
  { kind: "select", name: "kind", label: t`Kind`, required: true, options: KINDS },
  { kind: "search", name: "siteId", label: t`Site`, none: t`None`, source: SITES, adds: NEW_SITE },
  {
    ...{ kind: "search", name: "snmpPolicyId", label: t`SNMP policy`, none: t`None`, group: t`Protocols` },
    source: policies("SNMPv2c", "SNMPv3"),
    adds: NEW_SNMP_POLICY,
    help: t`Required for polling.`,
  },
  {
    ...{ kind: "search", name: "sshPolicyId", label: t`SSH policy`, none: t`None`, group: t`Protocols` },
    source: policies("SSH"),
    adds: NEW_SSH_POLICY,
  },
  {
    ...{ kind: "search", name: "netconfPolicyId", label: t`NETCONF policy`, group: t`Protocols` },
    ...{ none: t`None`, source: policies("NETCONF") },
    adds: NEW_NETCONF_POLICY,
    help: t`With one, it is configured by NETCONF; otherwise over the SSH command line.`,
  },
  {
    ...{ kind: "search", name: "vnfInstanceId", label: t`VNF instance`, none: t`None`, group: t`Hosting` },
    source: INSTANCES,
    when: ({ kind }) => kind === "VIRTUAL",
    help: t`Its cards are the VMs of this instance.`,
  },
  {
    ...{ kind: "search", name: "hostElementId", label: t`Host element`, none: t`None`, group: t`Hosting` },
    source: HOSTS,
    when: ({ kind }) => kind === "VIRTUAL",
    help: t`The element that hosts a virtual system.`,
  },
];
