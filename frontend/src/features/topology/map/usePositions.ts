import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  mapKeys,
  mapQueries,
  positionsForget,
  positionsSave,
  type MapScope,
  type Point,
  type Positions,
} from "@/api/topology";

const NONE: Positions = {};

/** A moved box is shown at once, and the server stores its position for this user. */
export function usePositions(scope: MapScope) {
  const client = useQueryClient();
  const key = mapKeys.positions(scope);
  const { data: positions = NONE } = useQuery(mapQueries.positions(scope));
  const save = useMutation({
    mutationFn: (moved: Record<string, Point>) => positionsSave(scope, moved),
    onMutate: (moved) => client.setQueryData<Positions>(key, (before) => ({ ...before, ...moved })),
    onError: () => client.invalidateQueries({ queryKey: key }),
  });
  const forget = useMutation({
    mutationFn: () => positionsForget(scope),
    onSuccess: () => client.setQueryData<Positions>(key, NONE),
  });
  return {
    positions,
    move: save.mutate,
    forget: Object.keys(positions).length > 0 ? () => forget.mutate() : undefined,
    error: save.error ?? forget.error,
  };
}
