import { HOSTS, INSTANCES, policies, SITES } from "@/administration/sources";
import type { FieldSpec } from "@/records/fields";
import type { Option } from "@/ui/SearchSelect";

const KINDS: readonly Option[] = [
  ["PHYSICAL", "Physical router"],
  ["VIRTUAL", "Virtual router"],
];

/** What is asked of an element when it is registered or edited. */
export const ELEMENT_FIELDS: readonly FieldSpec[] = [
  { kind: "text", name: "name", label: "Name", required: true, help: "How it is called here." },
  { kind: "text", name: "managementAddress", label: "Management address", required: true, help: "IPv4 or IPv6." },
  { kind: "select", name: "kind", label: "Kind", required: true, options: KINDS },
  { kind: "search", name: "siteId", label: "Site", none: "None", source: SITES },
  {
    ...{ kind: "search", name: "snmpPolicyId", label: "SNMP policy", none: "None", group: "How it is spoken to" },
    source: policies("SNMPv2c", "SNMPv3"),
    help: "Without one it is not read.",
  },
  {
    ...{ kind: "search", name: "sshPolicyId", label: "SSH policy", none: "None", group: "How it is spoken to" },
    source: policies("SSH"),
  },
  {
    ...{ kind: "search", name: "netconfPolicyId", label: "NETCONF policy", group: "How it is spoken to" },
    ...{ none: "None", source: policies("NETCONF") },
    help: "With one, it is configured by NETCONF, in XML; without, at its command line.",
  },
  {
    ...{ kind: "search", name: "vnfInstanceId", label: "VNF instance", none: "None", group: "What it runs on" },
    source: INSTANCES,
    when: ({ kind }) => kind === "VIRTUAL",
    help: "Its cards are the VMs of this instance.",
  },
  {
    ...{ kind: "search", name: "hostElementId", label: "Host element", none: "None", group: "What it runs on" },
    source: HOSTS,
    when: ({ kind }) => kind === "VIRTUAL",
    help: "The chassis that a virtual system lives on.",
  },
];
