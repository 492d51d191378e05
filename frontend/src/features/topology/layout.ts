import dagre from "@dagrejs/dagre";

interface Size {
  width: number;
  height: number;
}
export interface Place extends Size {
  position: { x: number; y: number };
}

/** Boxes stand from left to right along their edges; those of one rank keep their order. */
export function layout(
  boxes: ReadonlyMap<string, Size>,
  edges: readonly { source: string; target: string }[],
): (id: string) => Place {
  const graph = new dagre.graphlib.Graph().setGraph({ rankdir: "LR", nodesep: 22, ranksep: 90 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [id, size] of boxes) graph.setNode(id, { ...size });
  for (const { source, target } of edges) graph.setEdge(source, target);
  dagre.layout(graph);
  keepOrder(graph, [...boxes.keys()]);
  return (id) => {
    const size = boxes.get(id) ?? { width: 0, height: 0 };
    const { x, y } = graph.node(id) as { x: number; y: number };
    return { position: { x: x - size.width / 2, y: y - size.height / 2 }, ...size };
  };
}

/** Dagre orders a rank as it likes, but slot A belongs above slot B, also after the next refetch. */
function keepOrder(graph: InstanceType<typeof dagre.graphlib.Graph>, order: string[]): void {
  const at = (id: string) => graph.node(id) as { x: number; y: number };
  for (const rank of Map.groupBy(order, (id) => at(id).x).values()) {
    const heights = rank.map((id) => at(id).y).sort((a, b) => a - b);
    rank.forEach((id, index) => (at(id).y = heights[index] ?? at(id).y));
  }
}
