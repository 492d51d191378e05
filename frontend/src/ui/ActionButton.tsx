import { Button, Tooltip, type ButtonProps } from "@patternfly/react-core";
import type { Action } from "@/api/types";

interface Props extends Omit<ButtonProps, "isDisabled" | "isAriaDisabled" | "action"> {
  /** The line of the server's action table; absent means the server does not offer it here. */
  action: Action | undefined;
}

/** A button lit by the action table. Unlit it stays reachable by keyboard and says why it is off. */
export function ActionButton({ action, children, ...button }: Props) {
  if (!action) return null;
  if (action.enabled) return <Button {...button}>{children}</Button>;
  return (
    <Tooltip content={action.disabledReason || "Not possible in the present state"}>
      <Button {...button} isAriaDisabled onClick={undefined}>
        {children}
      </Button>
    </Tooltip>
  );
}

export const actionOf = (actions: readonly Action[], name: string): Action | undefined =>
  actions.find((each) => each.action.toLowerCase() === name);
