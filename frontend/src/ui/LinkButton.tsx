import { Button, type ButtonProps } from "@patternfly/react-core";
import { Link, type LinkProps } from "react-router";
import { ChangeButton } from "./ActionButton";
import { useDisabledReason, type Role } from "./rights";

interface Props
  extends Pick<ButtonProps, "variant" | "size" | "icon" | "children" | "aria-label">, Pick<LinkProps, "to"> {
  /** The role that the action behind the link needs; undefined for a page to read. */
  needs?: Role;
}

/** A link that looks like a button. PatternFly's button does not know `to` but passes it on. */
export function LinkButton({ to, needs, ...button }: Props) {
  const whyNot = useDisabledReason(needs);
  if (needs && whyNot) return <ChangeButton needs={needs} {...button} />;
  return <Button {...button} component={Link} {...{ to }} />;
}
