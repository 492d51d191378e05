import { Button, type ButtonProps } from "@patternfly/react-core";
import { Link, type LinkProps } from "react-router";
import { ChangeButton } from "./ActionButton";
import { useDisabledReason, type Role } from "./rights";

interface Props
  extends Pick<ButtonProps, "variant" | "size" | "icon" | "children" | "aria-label">, Pick<LinkProps, "to"> {
  /** What it takes to do what it leads to; nothing where that is to look. */
  needs?: Role;
}

/** A link that looks like a button and moves inside the console. The button hands `to`, which it does not know, on to it. */
export function LinkButton({ to, needs, ...button }: Props) {
  const whyNot = useDisabledReason(needs);
  if (needs && whyNot) return <ChangeButton needs={needs} {...button} />;
  return <Button {...button} component={Link} {...{ to }} />;
}
