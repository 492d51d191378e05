import type { MapNode } from "@/api/topology";

export const EVERYTHING: readonly string[] = ["all"];

/** The map was never measured with more boxes, so groups of a larger one are opened one by one. */
export const BOXES = 12_000;

/** Closing a group also closes the groups inside it. */
export function toggled(nodes: readonly MapNode[], expand: readonly string[], id: string, open: boolean): string[] {
  const opened = nodes.filter(({ group }) => group?.open).map((node) => node.id);
  const known = new Set([...expand.filter((each) => !EVERYTHING.includes(each)), ...opened]);
  if (open) return [...known.add(id)];
  const parents = new Map(nodes.map((node) => [node.id, node.parentId]));
  const within = (each: string | null | undefined): boolean => each === id || (!!each && within(parents.get(each)));
  return [...known].filter((each) => !within(each));
}
