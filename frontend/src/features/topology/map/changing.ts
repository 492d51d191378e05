import { createContext, use } from "react";
import type { MapNode } from "@/api/topology";
import { lookOf, MAP_STATE, type Look } from "@/ui/states";

/** Keys: id of a VNF instance with a running operation. */
export const Changing = createContext<ReadonlyMap<string, Look>>(new Map());

/** A running operation replaces the observed state of its VNF instance. */
export function useNodeLook({ kind, objectId, state }: Pick<MapNode, "kind" | "objectId" | "state">) {
  const changing = use(Changing).get(kind === "INSTANCE" ? (objectId ?? "") : "");
  return { look: changing ?? lookOf(MAP_STATE, state), isChanging: changing !== undefined };
}
