import type { Action } from "@/api/types";
import { useWhyNot } from "./rights";

/** A line of an action table for what takes the role operator: the others are told so. The API refuses them, too. */
export function useForOperators(name: string): Action {
  const whyNot = useWhyNot();
  return { action: name, enabled: whyNot === undefined, disabledReason: whyNot ?? "" };
}
