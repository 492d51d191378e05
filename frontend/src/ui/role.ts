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
