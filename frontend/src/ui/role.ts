import { useQuery } from "@tanstack/react-query";
import { q } from "@/api/queries";
import type { Action } from "@/api/types";

/** Lights what changes something for operators alone; to others the button says why it is off. The API refuses them, too. */
export function useOperator(): Action {
  const { data: session } = useQuery(q.session());
  const enabled = session?.roles.includes("operator") ?? false;
  return {
    action: "write",
    enabled,
    disabledReason: enabled ? "" : "This takes the role operator; you may only look.",
  };
}

/** A line of an action table for what needs the role operator: a viewer is told so. */
export function useForOperators(name: string): Action {
  const { data: session } = useQuery(q.session());
  const enabled = session?.roles.includes("operator") ?? false;
  return { action: name, enabled, disabledReason: enabled ? "" : "This needs the role operator; yours is viewer." };
}
