import { useQuery } from "@tanstack/react-query";
import { q } from "@/api/queries";
import type { Flavour, VnfInstance, Vnfd } from "@/api/types";

/** Only SOL003's view of the instance contains its flavour. */
export function useFlavour(instance: VnfInstance): { vnfd: Vnfd | undefined; flavour: Flavour | undefined } {
  const { data: etsi } = useQuery(q.etsiVnfInstance(instance.id));
  const { data: vnfd } = useQuery(q.vnfd(instance.vnfdId));
  const flavourId = etsi?.instantiatedVnfInfo?.flavourId;
  return { vnfd, flavour: vnfd?.flavours.find((each) => each.id === flavourId) };
}
