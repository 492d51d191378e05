import { t } from "@lingui/core/macro";
import { Alert, AlertActionCloseButton, AlertGroup } from "@patternfly/react-core";
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from "react";

export interface Toast {
  variant: "success" | "danger" | "warning" | "info";
  title: string;
  body?: ReactNode;
  link?: ReactNode;
}

const ToastContext = createContext<(toast: Toast) => void>(() => undefined);
export const useToast = () => useContext(ToastContext);

const TOAST_MS = 8000;
const AT_ONCE = 4;
let next = 0;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<(Toast & { key: number })[]>([]);
  const remove = useCallback((key: number) => setToasts((all) => all.filter((each) => each.key !== key)), []);
  const add = useCallback((toast: Toast) => {
    next += 1;
    const key = next;
    setToasts((all) => [...all, { ...toast, key }].slice(-AT_ONCE));
  }, []);
  const value = useMemo(() => add, [add]);
  return (
    <ToastContext value={value}>
      {children}
      <AlertGroup isToast isLiveRegion aria-label={t`Notifications`}>
        {toasts.map(({ key, variant, title, body, link }) => (
          <Alert
            key={key}
            variant={variant}
            title={title}
            component="h2"
            timeout={variant === "danger" ? false : TOAST_MS}
            onTimeout={() => remove(key)}
            actionClose={<AlertActionCloseButton title={title} onClose={() => remove(key)} />}
            actionLinks={link}
          >
            {body}
          </Alert>
        ))}
      </AlertGroup>
    </ToastContext>
  );
}
