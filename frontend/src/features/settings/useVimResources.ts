import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { q } from "@/api/queries";
import type { VimResources } from "@/api/types";

/**
 * What a VNF may be given of a cloud: all but the networks that stacks of other VNF instances made, which end with
 * these. `instanceId`: of the VNF; none before it is created.
 */
export function useVimResources(vimId: string | null | undefined, instanceId?: string): VimResources | undefined {
  const enabled = Boolean(vimId);
  const { data: resources } = useQuery({ ...q.vimResources(vimId ?? ""), enabled });
  const { data: owned, isError } = useQuery({ ...q.vnfNetworks(vimId ?? ""), enabled });
  return useMemo(() => {
    if (!resources || (!owned && !isError)) return undefined;
    const others = (owned ?? []).filter(({ vnfInstanceId }) => vnfInstanceId !== instanceId);
    const inner = new Set(others.map(({ networkId }) => networkId));
    return { ...resources, networks: resources.networks.filter(({ id }) => !inner.has(id)) };
  }, [resources, owned, isError, instanceId]);
}
