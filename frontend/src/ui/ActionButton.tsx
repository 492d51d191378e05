import { Button, Tooltip, type ButtonProps } from "@patternfly/react-core";
import type { Action } from "@/api/types";
import { useWhyNot, type Role } from "./rights";

interface ChangeProps extends Omit<ButtonProps, "isAriaDisabled" | "action" | "role"> {
  /** What it takes to do this; operator unless it says otherwise. */
  needs?: Role;
}
interface Props extends Omit<ChangeProps, "isDisabled"> {
  /** The line of the server's action table; absent means the server does not offer it here. */
  action: Action | undefined;
}

/** A button that changes something, or leads to that. Who may not has it off: reachable by keyboard, and saying why. */
export function ChangeButton({ needs, whyNot: other, ...button }: ChangeProps & { whyNot?: string | undefined }) {
  const whyNot = useWhyNot(needs) ?? other;
  if (whyNot === undefined) return <Button {...button} />;
  return (
    <Tooltip content={whyNot}>
      <Button {...button} isDisabled={false} isAriaDisabled onClick={undefined} />
    </Tooltip>
  );
}

/** A button lit by the action table, for those who may. */
export function ActionButton({ action, ...button }: Props) {
  if (!action) return null;
  const whyNot = action.enabled ? undefined : action.disabledReason || "Not possible in the present state";
  return <ChangeButton {...button} whyNot={whyNot} />;
}

export const actionOf = (actions: readonly Action[], name: string): Action | undefined =>
  actions.find((each) => each.action.toLowerCase() === name);
