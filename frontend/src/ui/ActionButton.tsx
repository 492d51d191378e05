import { t } from "@lingui/core/macro";
import { Button, Tooltip, type ButtonProps } from "@patternfly/react-core";
import type { Action } from "@/api/types";
import { useDisabledReason, type Role } from "./rights";

interface ChangeProps extends Omit<ButtonProps, "isAriaDisabled" | "action" | "role"> {
  /** What it takes to do this; operator unless it says otherwise. */
  needs?: Role;
}
interface Props extends Omit<ChangeProps, "isDisabled"> {
  /** The line of the server's action table; absent means the server does not offer it here. */
  action: Action | undefined;
}

interface WhyNot {
  /** What is in the way; undefined when nothing is. */
  whyNot?: string | undefined;
}

/** A button that may be disabled: it stays reachable by keyboard and says why. It needs no role. */
export function ExplainedButton({ whyNot, ...button }: Omit<ChangeProps, "needs"> & WhyNot) {
  if (whyNot === undefined) return <Button {...button} />;
  return (
    <Tooltip content={whyNot}>
      <Button {...button} isDisabled={false} isAriaDisabled onClick={undefined} />
    </Tooltip>
  );
}

/** A button that changes something, or leads to that. Who may not has it off. */
export function ChangeButton({ needs, whyNot, ...button }: ChangeProps & WhyNot) {
  return <ExplainedButton {...button} whyNot={useDisabledReason(needs) ?? whyNot} />;
}

/** A button lit by the action table, for those who may. */
export function ActionButton({ action, ...button }: Props) {
  if (!action) return null;
  const whyNot = action.enabled ? undefined : action.disabledReason || t`Not possible in the current state`;
  return <ChangeButton {...button} whyNot={whyNot} />;
}

export const actionOf = (actions: readonly Action[], name: string): Action | undefined =>
  actions.find((each) => each.action.toLowerCase() === name);
