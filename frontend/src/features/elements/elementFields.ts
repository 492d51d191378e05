import { t } from "@lingui/core/macro";
import { NETCONF_POLICY, SNMP_POLICY, SSH_POLICY } from "@/features/administration/mediationPolicies";
import { NEW_SITE } from "@/features/administration/siteRecords";
import { HOSTS, INSTANCES, SITES } from "@/records/optionSources";
import type { FieldSpec } from "@/records/fields";
import type { Option } from "@/ui/SearchSelect";

const KINDS: readonly Option[] = [
  ["PHYSICAL", t`Physical router`],
  ["VIRTUAL", t`Virtual router`],
];

export const ELEMENT_FIELDS: readonly FieldSpec[] = [
  { kind: "text", name: "name", label: t`Name`, required: true, help: t`Display name.` },
  { kind: "text", name: "managementAddress", label: t`Management address`, required: true, help: t`IPv4 or IPv6.` },
  { kind: "select", name: "kind", label: t`Kind`, required: true, options: KINDS },
  { kind: "search", name: "siteId", label: t`Site`, none: t`None`, source: SITES, adds: NEW_SITE },
  { ...SNMP_POLICY, none: t`None`, group: t`Protocols`, help: t`Required for polling.` },
  { ...SSH_POLICY, group: t`Protocols` },
  {
    ...NETCONF_POLICY,
    group: t`Protocols`,
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
