/** Null while the node is not rendered, for example outside the view. */
export const boxOf = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
