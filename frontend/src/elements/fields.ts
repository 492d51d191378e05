import { useQuery } from "@tanstack/react-query";
import { named, policyOptions } from "@/administration/options";
import { q } from "@/api/queries";
import type { FieldSpec, Option } from "@/records/fields";

const KINDS: readonly Option[] = [
  ["PHYSICAL", "Physical router"],
  ["VIRTUAL", "Virtual router"],
];

/** What is asked of an element when it is registered or edited. */
export function useElementFields(): FieldSpec[] {
  const { data: policies = [] } = useQuery(q.mediationPolicies());
  const { data: sites = [] } = useQuery(q.sites());
  const { data: instances = [] } = useQuery(q.vnfInstances());
  const { data: elements } = useQuery(q.elements({ filter: "(eq,kind,PHYSICAL)", sort: "name" }));
  return [
    { kind: "text", name: "name", label: "Name", required: true, help: "How it is called here." },
    { kind: "text", name: "managementAddress", label: "Management address", required: true, help: "IPv4 or IPv6." },
    { kind: "select", name: "kind", label: "Kind", required: true, options: KINDS },
    { kind: "select", name: "siteId", label: "Site", none: "None", options: named(sites) },
    {
      ...{ kind: "select", name: "snmpPolicyId", label: "SNMP policy", none: "None", group: "How it is spoken to" },
      options: policyOptions(policies, "SNMPv2c", "SNMPv3"),
      help: "Without one it is not read.",
    },
    {
      ...{ kind: "select", name: "sshPolicyId", label: "SSH policy", none: "None", group: "How it is spoken to" },
      options: policyOptions(policies, "SSH"),
    },
    {
      ...{ kind: "select", name: "netconfPolicyId", label: "NETCONF policy", group: "How it is spoken to" },
      ...{ none: "None", options: policyOptions(policies, "NETCONF") },
      help: "With one, it is configured by NETCONF, in XML; without, at its command line.",
    },
    {
      ...{ kind: "select", name: "vnfInstanceId", label: "VNF instance", none: "None", group: "What it runs on" },
      options: named(instances),
      when: ({ kind }) => kind === "VIRTUAL",
      help: "Its cards are the VMs of this instance.",
    },
    {
      ...{ kind: "select", name: "hostElementId", label: "Host element", none: "None", group: "What it runs on" },
      options: named(elements?.rows ?? []),
      when: ({ kind }) => kind === "VIRTUAL",
      help: "The chassis that a virtual system lives on.",
    },
  ];
}
