import { createContext, use } from "react";
import type { MapNode } from "@/api/topology";
import { lookOf, MAP_STATE, type Look } from "@/ui/states";

/** States of VNF instances whose operation has not ended, by their ids. */
export const Changing = createContext<ReadonlyMap<string, Look>>(new Map());

/** How a node looks: a VNF instance that is being changed by its operation, all others by what is observed. */
export function useNodeLook({ kind, objectId, state }: Pick<MapNode, "kind" | "objectId" | "state">) {
  const changing = use(Changing).get(kind === "INSTANCE" ? (objectId ?? "") : "");
  return { look: changing ?? lookOf(MAP_STATE, state), isChanging: changing !== undefined };
}
