import { t } from "@lingui/core/macro";
import { createContext, useContext } from "react";
import { useIsOffline } from "@/api/connection";
import type { Session } from "@/api/types";

export type Role = "viewer" | "operator" | "admin";

/** The session; undefined without login, in component tests. */
export const SessionContext = createContext<Session | undefined>(undefined);

/** Why the user may not do what takes that role, where everybody may look; undefined when nothing is in the way. */
export function useMissingRole(role: Role = "operator"): string | undefined {
  const who = useContext(SessionContext);
  if (!who || who.roles.includes(role)) return undefined;
  return t`This requires the role ${role}, which ${who.username} does not have. Ask an administrator.`;
}

/** Why the user cannot do now what takes that role: no right to it, or no server that answers. */
export function useDisabledReason(role: Role = "operator"): string | undefined {
  const missing = useMissingRole(role);
  const offline = useIsOffline();
  return missing ?? (offline ? t`The VNF manager does not respond. Possible when the connection is back.` : undefined);
}
