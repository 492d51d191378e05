/** The VNFCs that the address names: what led here was of them. */
import type { RefObject } from "react";
import { useSearchParams } from "react-router";
import type { Vnfc } from "@/api/types";
import { useInView } from "@/ui/useInView";

const VNFC = "vnfc";

interface Selected {
  ids: readonly string[];
  /** Of those that are there, the first; its row comes into sight. */
  first: string | undefined;
  row: RefObject<HTMLTableRowElement | null>;
  /** None of those that the address names is there. */
  gone: boolean;
}

export function useSelectedVnfcs(vnfcs: readonly Vnfc[]): Selected {
  const [params] = useSearchParams();
  const ids = (params.get(VNFC) ?? "").split(",").filter(Boolean);
  const first = vnfcs.find(({ id }) => ids.includes(id))?.id;
  const row = useInView<HTMLTableRowElement>(first ?? "", "center");
  return { ids, first, row, gone: ids.length > 0 && first === undefined };
}
