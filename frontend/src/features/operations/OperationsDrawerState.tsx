import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from "react";

interface DrawerState {
  shown: boolean;
  open: () => void;
  close: () => void;
}
const Context = createContext<DrawerState>({ shown: false, open: () => undefined, close: () => undefined });

/** Whether the drawer of operations is open: its button is in the masthead, and pages lead to it. */
export function OperationsDrawerState({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState(false);
  const open = useCallback(() => setShown(true), []);
  const close = useCallback(() => setShown(false), []);
  const value = useMemo(() => ({ shown, open, close }), [shown, open, close]);
  return <Context value={value}>{children}</Context>;
}

export const useOperationsDrawer = (): DrawerState => useContext(Context);
