import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { mapQueries, type MapNode, type TopologyMap } from "@/api/topology";
import { queryOf, type Change, type MapView } from "./mapView";
import { EVERYTHING } from "./groups";

/** The innermost group comes first. */
export function groupsOf(node: MapNode, nodes: readonly MapNode[]): string[] {
  const known = new Map(nodes.map((each) => [each.id, each]));
  const groups: string[] = [];
  for (let up = known.get(node.parentId ?? ""); up; up = known.get(up.parentId ?? "")) groups.push(up.id);
  return groups;
}

interface FocusedNode {
  goTo: { id: string } | undefined;
  go: (id: string) => void;
  /** The map does not contain this node, whichever groups are open. */
  missing: boolean;
  /** The search failed. */
  error: Error | null;
}

/**
 * Opens the groups around the node in the address and scrolls to it. This happens once, so that the user can close a
 * group afterwards.
 */
export function useFocusedNode(map: TopologyMap | undefined, shown: MapView, change: Change): FocusedNode {
  const [pendingNode, setPendingNode] = useState(shown.node);
  const [goTo, setGoTo] = useState<{ id: string }>();
  const isThere = map?.nodes.some(({ id }) => id === pendingNode) === true;
  if (isThere || (pendingNode !== "" && shown.node !== pendingNode)) {
    setPendingNode("");
    if (isThere) setGoTo({ id: pendingNode });
  }
  const search = {
    ...mapQueries.map({ ...queryOf(shown), expand: EVERYTHING }),
    enabled: pendingNode !== "" && map !== undefined,
  };
  const { data: whole, error, isPlaceholderData } = useQuery(search);
  const node = isPlaceholderData ? undefined : whole?.nodes.find(({ id }) => id === pendingNode);
  const { expand } = shown;
  useEffect(() => {
    if (!node || !whole) return;
    const closed = groupsOf(node, whole.nodes).filter((group) => !expand.includes(group));
    if (closed.length > 0) change({ expand: [...expand, ...closed] }, { byItself: true });
  }, [node, whole, expand, change]);
  const looked = pendingNode !== "" && whole !== undefined && !isPlaceholderData;
  return { goTo, go: (id) => setGoTo({ id }), missing: looked && !node, error: pendingNode === "" ? null : error };
}
