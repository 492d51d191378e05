import { t } from "@lingui/core/macro";
import { createContext, useContext } from "react";
import { useIsOffline } from "@/api/connection";
import type { Session } from "@/api/types";

export type Role = "viewer" | "operator" | "admin";

/** Component tests have no session. */
export const SessionContext = createContext<Session | undefined>(undefined);

/** Everyone may read. Undefined: the user has the role. */
export function useMissingRole(role: Role = "operator"): string | undefined {
  const who = useContext(SessionContext);
  if (!who || who.roles.includes(role)) return undefined;
  return t`This requires the role ${role}, which ${who.username} does not have. Ask an administrator.`;
}

/** The user lacks the role, or the server does not answer. */
export function useDisabledReason(role: Role = "operator"): string | undefined {
  const missing = useMissingRole(role);
  const offline = useIsOffline();
  return missing ?? (offline ? t`The VNF manager does not respond. Possible when the connection is back.` : undefined);
}
