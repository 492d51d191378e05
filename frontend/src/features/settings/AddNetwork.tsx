import { t } from "@lingui/core/macro";
import { vimNetworkCreate } from "@/api/calls";
import { keys } from "@/api/keys";
import type { VimNetwork, VimNetworkInput } from "@/api/types";
import { AddRecord } from "@/records/AddRecord";
import type { FieldSpec, NewRecord } from "@/records/fields";

const FIELDS: readonly FieldSpec[] = [
  {
    ...{ kind: "text", name: "name", label: t`Name`, required: true, most: 100 },
    help: t`The network belongs to the project of the cloud: no operation deletes it.`,
  },
  {
    ...{ kind: "text", name: "cidr", label: t`Subnet`, required: true },
    help: t`IPv4 or IPv6, such as 10.20.0.0/24. The first address is the gateway's.`,
  },
  { kind: "check", name: "dhcp", label: t`DHCP` },
];

/** The network has one subnet. */
const newNetwork = (vimId: string): NewRecord => ({
  title: t`New network`,
  fields: FIELDS,
  fresh: { dhcp: true },
  create: (input) => vimNetworkCreate(vimId, input as unknown as VimNetworkInput),
  queryKey: keys.vimResources(vimId),
});

interface Props {
  vimId: string;
  field: string;
  onMade: (network: VimNetwork) => void;
}

export const AddNetwork = ({ vimId, field, onMade }: Props) => (
  <AddRecord
    adds={newNetwork(vimId)}
    label={t`New network for ${field}`}
    onMade={(made) => onMade(made as VimNetwork)}
  />
);
