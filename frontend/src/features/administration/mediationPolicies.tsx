import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import KeyIcon from "@patternfly/react-icons/dist/esm/icons/key-icon";
import { mediationPolicyCreate, mediationPolicyDelete, mediationPolicyUpdate } from "@/api/callsElements";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { MediationPolicy, MediationPolicyInput, Protocol } from "@/api/types";
import type { Draft, FieldSpec, NewRecord } from "@/records/fields";
import { policies } from "@/records/optionSources";
import type { RecordKind } from "@/records/Records";
import type { Option } from "@/ui/SearchSelect";

const PROTOCOLS: readonly Option[] = [
  ["SNMPv2c", "SNMPv2c"],
  ["SNMPv3", "SNMPv3 (USM)"],
  ["SSH", t`SSH (command line)`],
  ["NETCONF", t`NETCONF over SSH`],
];
const AUTH = ["MD5", "SHA", "SHA-224", "SHA-256", "SHA-384", "SHA-512"];
const PRIV = ["DES", "AES", "AES-192", "AES-256"];
const options = (words: readonly string[]): Option[] => words.map((word) => [word, word]);
const NONE: Option = ["", t`None`];

const onlyFor =
  (...protocols: Protocol[]) =>
  ({ protocol }: Draft): boolean =>
    protocols.some((each) => each === protocol);
const snmp = onlyFor("SNMPv2c", "SNMPv3");
const login = onlyFor("SSH", "NETCONF");

/** The server returns only the names of the secrets that are set. */
function secretsText(policy: MediationPolicy): string {
  const set: [boolean, string][] = [
    [policy.hasCommunity, t`community`],
    [policy.hasAuthPassword, t`authentication password`],
    [policy.hasPrivPassword, t`privacy password`],
    [policy.hasPassword, t`password`],
    [policy.hasPrivateKey, t`private key`],
  ];
  const words = set.filter(([has]) => has).map(([, word]) => word);
  return words.length > 0 ? t`${words.join(", ")}: set` : t`none`;
}

const secretHelp = (has: boolean | undefined): string | undefined =>
  has === undefined ? t`Encrypted.` : has ? t`Set. Empty: unchanged.` : t`Not set.`;

function fields(row: MediationPolicy | undefined): FieldSpec[] {
  return [
    { kind: "text", name: "name", label: t`Name`, required: true },
    { kind: "select", name: "protocol", label: t`Protocol`, required: true, once: true, options: PROTOCOLS },
    {
      ...{ kind: "number", name: "port", label: t`Port` },
      help: row ? t`Empty: unchanged.` : t`Empty: the protocol's default.`,
    },
    {
      ...{ kind: "lines", name: "networks", label: t`Networks`, required: true },
      help: row
        ? t`The secrets are sent to these only, one per line. To add one, be an administrator or enter the secrets again.`
        : t`The secrets are sent to these only, one per line: 10.1.0.0/16 or 192.0.2.7/32.`,
    },
    {
      ...{ kind: "secret", name: "community", label: t`Community`, when: onlyFor("SNMPv2c"), group: t`Credentials` },
      help: secretHelp(row?.hasCommunity),
    },
    {
      kind: "text",
      name: "username",
      label: t`User`,
      when: onlyFor("SNMPv3", "SSH", "NETCONF"),
      group: t`Credentials`,
    },
    {
      ...{
        kind: "select",
        name: "authProtocol",
        label: t`Authentication`,
        when: onlyFor("SNMPv3"),
        group: t`Credentials`,
      },
      options: [NONE, ...options(AUTH)],
    },
    {
      ...{ kind: "secret", name: "authPassword", label: t`Authentication password`, group: t`Credentials` },
      ...{ when: onlyFor("SNMPv3"), help: secretHelp(row?.hasAuthPassword) },
    },
    {
      ...{ kind: "select", name: "privProtocol", label: t`Privacy`, when: onlyFor("SNMPv3"), group: t`Credentials` },
      options: [NONE, ...options(PRIV)],
    },
    {
      ...{ kind: "secret", name: "privPassword", label: t`Privacy password`, group: t`Credentials` },
      ...{ when: onlyFor("SNMPv3"), help: secretHelp(row?.hasPrivPassword) },
    },
    {
      ...{ kind: "secret", name: "password", label: t`Password`, when: login, group: t`Credentials` },
      help: secretHelp(row?.hasPassword),
    },
    {
      ...{ kind: "secretLines", name: "privateKey", label: t`Private key`, when: login, group: t`Credentials` },
      help: secretHelp(row?.hasPrivateKey),
    },
    { kind: "number", name: "timeoutSeconds", label: t`Timeout (s)`, group: t`Protocol options` },
    { kind: "number", name: "retries", label: t`Retries`, when: snmp, group: t`Protocol options` },
    { kind: "number", name: "maxRepetitions", label: t`Rows per request`, when: snmp, group: t`Protocol options` },
    {
      ...{
        kind: "check",
        name: "oldAlgorithms",
        label: t`Offer legacy algorithms`,
        when: login,
        group: t`Protocol options`,
      },
      help: t`SHA-1, ssh-rsa and CBC, for software of 2016.`,
    },
  ];
}

/** For an empty number the server uses its default in a new policy and keeps the value of an existing one. */
const bare = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));

const create = (input: Record<string, unknown>) =>
  mediationPolicyCreate(bare(input) as unknown as MediationPolicyInput);

function newPolicy(title: string, first: Protocol, ...others: Protocol[]): NewRecord {
  const known = PROTOCOLS.filter(([protocol]) => [first, ...others].some((each) => each === protocol));
  const narrowed = fields(undefined).map((field): FieldSpec =>
    field.name === "protocol" && field.kind === "select" ? { ...field, options: known } : field,
  );
  return { title, fields: narrowed, fresh: { protocol: first }, create, queryKey: keys.mediationPolicies };
}

export const NEW_SNMP_POLICY = newPolicy(t`New SNMP policy`, "SNMPv2c", "SNMPv3");
export const NEW_SSH_POLICY = newPolicy(t`New SSH policy`, "SSH");
export const NEW_NETCONF_POLICY = newPolicy(t`New NETCONF policy`, "NETCONF");

/** The form of an element can create a policy in place. */
export const SNMP_POLICY = {
  ...{ kind: "search", name: "snmpPolicyId", label: t`SNMP policy`, source: policies("SNMPv2c", "SNMPv3") },
  adds: NEW_SNMP_POLICY,
} as const satisfies FieldSpec;
export const SSH_POLICY = {
  ...{ kind: "search", name: "sshPolicyId", label: t`SSH policy`, none: t`None`, source: policies("SSH") },
  adds: NEW_SSH_POLICY,
} as const satisfies FieldSpec;
export const NETCONF_POLICY = {
  ...{ kind: "search", name: "netconfPolicyId", label: t`NETCONF policy`, none: t`None`, source: policies("NETCONF") },
  adds: NEW_NETCONF_POLICY,
} as const satisfies FieldSpec;

export const MEDIATION_POLICIES: RecordKind<MediationPolicy> = {
  toAdd: t`Add a mediation policy`,
  noneYet: t`No mediation policies yet`,
  isGone: t`This mediation policy no longer exists`,
  many: t`Mediation policies`,
  name: "mediation-policies",
  nameOf: ({ name }) => name,
  lead: t`Protocols and credentials for network elements. Secrets are encrypted and never shown.`,
  icon: KeyIcon,
  empty: t`A network element is polled with its SNMP policy and configured with its NETCONF or SSH policy.`,
  useList: () => useQuery(q.mediationPolicies()),
  queryKey: keys.mediationPolicies,
  columns: [
    { title: t`Name`, isName: true, sort: ({ name }) => name, cell: ({ name }) => name },
    { title: t`Protocol`, sort: ({ protocol }) => protocol, cell: ({ protocol }) => protocol },
    { title: t`Port`, sort: ({ port }) => port, cell: ({ port }) => port },
    { title: t`Networks`, cell: ({ networks }) => networks.join(", ") || "—" },
    { title: t`User`, cell: ({ username }) => username || "—" },
    { title: t`Secrets`, width: 30, cell: secretsText },
  ],
  fields,
  fresh: { protocol: "SNMPv2c" },
  create,
  update: ({ id, version }, input) => mediationPolicyUpdate(id, bare(input), version),
  remove: ({ id, version }) => mediationPolicyDelete(id, version),
  removal: t`The policy and its secrets are deleted. A policy in use by network elements or discovery rules cannot be deleted.`,
};
