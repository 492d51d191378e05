import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from "react";

interface DrawerState {
  shown: boolean;
  open: () => void;
  close: () => void;
}
const Context = createContext<DrawerState>({ shown: false, open: () => undefined, close: () => undefined });

/** The button of the drawer is in the masthead, but pages open it too. */
export function OperationsDrawerState({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState(false);
  const open = useCallback(() => setShown(true), []);
  const close = useCallback(() => setShown(false), []);
  const value = useMemo(() => ({ shown, open, close }), [shown, open, close]);
  return <Context value={value}>{children}</Context>;
}

export const useOperationsDrawer = (): DrawerState => useContext(Context);
