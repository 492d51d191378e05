import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { q } from "@/api/queries";
import type { VimResources } from "@/api/types";

/** The stack of another VNF instance created this network and will delete it. */
interface OwnedNetwork {
  id: string;
  name: string;
  vnfInstanceName: string;
}

export interface CloudResources extends VimResources {
  vimId?: string;
  /** Users should not choose networks of other VNFs. */
  ownedNetworks?: readonly OwnedNetwork[];
}

export const ownedText = ({ id, name, vnfInstanceName }: OwnedNetwork): string =>
  t`${name || id} (of VNF ${vnfInstanceName})`;

/** `instanceId` is undefined before the VNF is created. */
export function useVimResources(vimId: string | null | undefined, instanceId?: string): CloudResources | undefined {
  const enabled = Boolean(vimId);
  const { data: resources } = useQuery({ ...q.vimResources(vimId ?? ""), enabled });
  const { data: owned, isError } = useQuery({ ...q.vnfNetworks(vimId ?? ""), enabled });
  return useMemo(() => {
    if (!resources || (!owned && !isError)) return undefined;
    const others = (owned ?? []).filter(({ vnfInstanceId }) => vnfInstanceId !== instanceId);
    const ownerOf = new Map(others.map(({ networkId, vnfInstanceName }) => [networkId, vnfInstanceName]));
    return {
      ...resources,
      vimId: vimId ?? "",
      networks: resources.networks.filter(({ id }) => !ownerOf.has(id)),
      ownedNetworks: resources.networks.flatMap(({ id, name }) => {
        const vnfInstanceName = ownerOf.get(id);
        return vnfInstanceName === undefined ? [] : { id, name, vnfInstanceName };
      }),
    };
  }, [resources, owned, isError, vimId, instanceId]);
}
