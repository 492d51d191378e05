import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import CogIcon from "@patternfly/react-icons/dist/esm/icons/cog-icon";
import { managementProfileCreate, managementProfileDelete, managementProfileUpdate } from "@/api/callsElements";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { ManagementProfile, ManagementProfileInput } from "@/api/types";
import { CLOUDS } from "@/records/optionSources";
import type { RecordKind } from "@/records/Records";
import { NETCONF_POLICY, SNMP_POLICY, SSH_POLICY } from "./mediationPolicies";

function PolicyNames({ profile }: { profile: ManagementProfile }) {
  const { data } = useQuery(q.mediationPolicies());
  const ids = [profile.snmpPolicyId, profile.sshPolicyId, profile.netconfPolicyId];
  return (
    <>
      {(data ?? [])
        .filter(({ id }) => ids.includes(id))
        .map(({ name }) => name)
        .join(", ")}
    </>
  );
}

export const MANAGEMENT_PROFILES: RecordKind<ManagementProfile> = {
  toAdd: t`Add a management profile`,
  noneYet: t`No management profiles yet`,
  isGone: t`This management profile no longer exists`,
  many: t`Management profiles`,
  name: "management-profiles",
  nameOf: ({ name }) => name,
  lead: t`Defaults for the routers of new VNFs, by cloud and package. The most specific profile applies.`,
  icon: CogIcon,
  empty: t`With a profile, the router of a new VNF is managed without choosing policies each time.`,
  useList: () => useQuery(q.managementProfiles()),
  queryKey: keys.managementProfiles,
  columns: [
    { title: t`Name`, isName: true, sort: ({ name }) => name, cell: ({ name }) => name },
    { title: t`Cloud`, sort: ({ vimName }) => vimName ?? "", cell: ({ vimName }) => vimName ?? t`Any` },
    {
      title: t`Package`,
      sort: ({ provider }) => provider,
      cell: ({ provider, productName }) => [provider, productName].filter(Boolean).join(" ") || t`Any`,
    },
    { title: t`Policies`, width: 30, cell: (profile) => <PolicyNames profile={profile} /> },
    { title: t`Management subnets`, cell: ({ addressRange }) => addressRange || t`Package defaults` },
  ],
  fields: () => [
    { kind: "text", name: "name", label: t`Name`, required: true },
    { kind: "search", name: "vimId", label: t`Cloud`, none: t`Any`, source: CLOUDS },
    { kind: "text", name: "provider", label: t`Provider`, help: t`As in the catalog, such as Nokia. Empty: any.` },
    { kind: "text", name: "productName", label: t`Product`, help: t`Such as VSR-PE. Empty: any.` },
    { ...SNMP_POLICY, required: true },
    SSH_POLICY,
    NETCONF_POLICY,
    {
      ...{ kind: "text", name: "addressRange", label: t`Range of management subnets` },
      help: t`Such as 10.20.0.0/16: each VNF gets a subnet of its own. Empty: the package's default subnet.`,
    },
    {
      ...{
        kind: "truth",
        name: "configureSnmp",
        label: t`Configure SNMP on new routers`,
        none: t`As the package says`,
      },
      help: t`Adds community or user and trap receiver of the SNMP policy to new routers of SR OS (by SSH or NETCONF) and VRP (by SSH). FRR gets them by user data alone.`,
    },
  ],
  fresh: {},
  create: (input) => managementProfileCreate(input as unknown as ManagementProfileInput),
  update: ({ id, version }, input) => managementProfileUpdate(id, input as unknown as ManagementProfileInput, version),
  remove: ({ id, version }) => managementProfileDelete(id, version),
  removal: t`The profile is deleted. Deployed VNFs stay as they are.`,
};
