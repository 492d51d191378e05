import type { RefObject } from "react";
import { useSearchParams } from "react-router";
import type { Vnfc } from "@/api/types";
import { useInView } from "@/ui/useInView";

const VNFC = "vnfc";

interface Selected {
  ids: readonly string[];
  /** The first existing VNFC of those in the address; its row scrolls into view. */
  first: string | undefined;
  row: RefObject<HTMLTableRowElement | null>;
  /** None of the VNFCs in the address exists. */
  gone: boolean;
}

export function useSelectedVnfcs(vnfcs: readonly Vnfc[]): Selected {
  const [params] = useSearchParams();
  const ids = (params.get(VNFC) ?? "").split(",").filter(Boolean);
  const first = vnfcs.find(({ id }) => ids.includes(id))?.id;
  const row = useInView<HTMLTableRowElement>(first ?? "", "center");
  return { ids, first, row, gone: ids.length > 0 && first === undefined };
}
