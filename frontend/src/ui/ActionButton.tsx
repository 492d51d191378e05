import { t } from "@lingui/core/macro";
import { Button, Tooltip, type ButtonProps } from "@patternfly/react-core";
import type { Action } from "@/api/types";
import { useDisabledReason, type Role } from "./rights";

interface ChangeProps extends Omit<ButtonProps, "isAriaDisabled" | "action" | "role"> {
  /** The role that the action needs; the default is operator. */
  needs?: Role;
}
interface Props extends Omit<ChangeProps, "isDisabled"> {
  /** A line of the server's action table; undefined where the server does not offer the action. */
  action: Action | undefined;
}

interface WhyNot {
  /** Undefined when the action is possible. */
  whyNot?: string | undefined;
}

/** A disabled button stays reachable by keyboard and says why it is disabled. It needs no role. */
export function ExplainedButton({ whyNot, ...button }: Omit<ChangeProps, "needs"> & WhyNot) {
  if (whyNot === undefined) return <Button {...button} />;
  return (
    <Tooltip content={whyNot}>
      <Button {...button} isDisabled={false} isAriaDisabled onClick={undefined} />
    </Tooltip>
  );
}

/** A button for a change. It is disabled for users without the role. */
export function ChangeButton({ needs, whyNot, ...button }: ChangeProps & WhyNot) {
  return <ExplainedButton {...button} whyNot={useDisabledReason(needs) ?? whyNot} />;
}

/** The action table and the user's role decide whether the button is enabled. */
export function ActionButton({ action, ...button }: Props) {
  if (!action) return null;
  const whyNot = action.enabled ? undefined : action.disabledReason || t`Not possible in the current state`;
  return <ChangeButton {...button} whyNot={whyNot} />;
}

export const actionOf = (actions: readonly Action[], name: string): Action | undefined =>
  actions.find((each) => each.action.toLowerCase() === name);
