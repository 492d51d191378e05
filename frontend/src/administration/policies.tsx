import { useQuery } from "@tanstack/react-query";
import KeyIcon from "@patternfly/react-icons/dist/esm/icons/key-icon";
import { mediationPolicyCreate, mediationPolicyDelete, mediationPolicyUpdate } from "@/api/calls-elements";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { MediationPolicy, MediationPolicyInput, Protocol } from "@/api/types";
import type { Draft, FieldSpec } from "@/records/fields";
import type { RecordKind } from "@/records/Records";
import type { Option } from "@/ui/SearchSelect";

const PROTOCOLS: readonly Option[] = [
  ["SNMPv2c", "SNMPv2c"],
  ["SNMPv3", "SNMPv3 (USM)"],
  ["SSH", "SSH (command line)"],
  ["NETCONF", "NETCONF over SSH"],
];
const AUTH = ["MD5", "SHA", "SHA-224", "SHA-256", "SHA-384", "SHA-512"];
const PRIV = ["DES", "AES", "AES-192", "AES-256"];
const options = (words: readonly string[]): Option[] => words.map((word) => [word, word]);
const NONE: Option = ["", "None"];

const of =
  (...protocols: Protocol[]) =>
  ({ protocol }: Draft): boolean =>
    protocols.some((each) => each === protocol);
const snmp = of("SNMPv2c", "SNMPv3");
const login = of("SSH", "NETCONF");

/** The secrets that are set, in words; what they are the server tells nobody. */
function secretsText(policy: MediationPolicy): string {
  const set: [boolean, string][] = [
    [policy.hasCommunity, "community"],
    [policy.hasAuthPassword, "authentication password"],
    [policy.hasPrivPassword, "privacy password"],
    [policy.hasPassword, "password"],
    [policy.hasPrivateKey, "private key"],
  ];
  const words = set.filter(([has]) => has).map(([, word]) => word);
  return words.length > 0 ? `${words.join(", ")}: set` : "none";
}

const kept = (has: boolean | undefined): string | undefined =>
  has === undefined ? "Kept sealed." : has ? "Set. Empty keeps it." : "Not set.";

function fields(row: MediationPolicy | undefined): FieldSpec[] {
  return [
    { kind: "text", name: "name", label: "Name", required: true },
    { kind: "select", name: "protocol", label: "Protocol", required: true, once: true, options: PROTOCOLS },
    {
      ...{ kind: "number", name: "port", label: "Port" },
      help: row ? "Empty keeps it." : "Empty takes the protocol's own.",
    },
    {
      ...{ kind: "secret", name: "community", label: "Community", when: of("SNMPv2c"), group: "Credentials" },
      help: kept(row?.hasCommunity),
    },
    { kind: "text", name: "username", label: "User", when: of("SNMPv3", "SSH", "NETCONF"), group: "Credentials" },
    {
      ...{ kind: "select", name: "authProtocol", label: "Authentication", when: of("SNMPv3"), group: "Credentials" },
      options: [NONE, ...options(AUTH)],
    },
    {
      ...{ kind: "secret", name: "authPassword", label: "Authentication password", group: "Credentials" },
      ...{ when: of("SNMPv3"), help: kept(row?.hasAuthPassword) },
    },
    {
      ...{ kind: "select", name: "privProtocol", label: "Privacy", when: of("SNMPv3"), group: "Credentials" },
      options: [NONE, ...options(PRIV)],
    },
    {
      ...{ kind: "secret", name: "privPassword", label: "Privacy password", group: "Credentials" },
      ...{ when: of("SNMPv3"), help: kept(row?.hasPrivPassword) },
    },
    {
      ...{ kind: "secret", name: "password", label: "Password", when: login, group: "Credentials" },
      help: kept(row?.hasPassword),
    },
    {
      ...{ kind: "secretLines", name: "privateKey", label: "Private key", when: login, group: "Credentials" },
      help: kept(row?.hasPrivateKey),
    },
    { kind: "number", name: "timeoutSeconds", label: "Timeout (s)", group: "Manners" },
    { kind: "number", name: "retries", label: "Retries", when: snmp, group: "Manners" },
    { kind: "number", name: "maxRepetitions", label: "Rows per request", when: snmp, group: "Manners" },
    {
      ...{ kind: "check", name: "oldAlgorithms", label: "Offer old algorithms", when: login, group: "Manners" },
      help: "SHA-1, ssh-rsa and CBC, for software of 2016.",
    },
  ];
}

/** Empty numbers are left to the server: its own for a new policy, and as they were for another. */
const bare = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));

export const MEDIATION_POLICIES: RecordKind<MediationPolicy> = {
  toAdd: "Add a mediation policy",
  noneYet: "No mediation policy yet",
  isGone: "There is no such mediation policy any more",
  many: "Mediation policies",
  nameOf: ({ name }) => name,
  lead: "How network elements are spoken to. Secrets are kept sealed and never shown.",
  icon: KeyIcon,
  empty:
    "A network element is read by the SNMP policy that it is registered with, and configured by its NETCONF or SSH policy.",
  useList: () => useQuery(q.mediationPolicies()),
  queryKey: keys.mediationPolicies,
  columns: [
    { title: "Name", isName: true, sort: ({ name }) => name, cell: ({ name }) => name },
    { title: "Protocol", sort: ({ protocol }) => protocol, cell: ({ protocol }) => protocol },
    { title: "Port", sort: ({ port }) => port, cell: ({ port }) => port },
    { title: "User", cell: ({ username }) => username || "—" },
    { title: "Secrets", width: 30, cell: secretsText },
  ],
  fields,
  fresh: { protocol: "SNMPv2c" },
  create: (input) => mediationPolicyCreate(bare(input) as unknown as MediationPolicyInput),
  update: ({ id, version }, input) => mediationPolicyUpdate(id, bare(input), version),
  remove: ({ id, version }) => mediationPolicyDelete(id, version),
  removal: "The policy and its secrets are forgotten. One that network elements or discovery rules use is refused.",
};
