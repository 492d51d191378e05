/** The drawn box of a node; null while it is not drawn, as when it is out of sight. */
export const boxOf = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
