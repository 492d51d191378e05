import { Button, type ButtonProps } from "@patternfly/react-core";
import { Link, type LinkProps } from "react-router";

type Props = Pick<ButtonProps, "variant" | "size" | "icon" | "children" | "aria-label"> & Pick<LinkProps, "to">;

/** A link that looks like a button and moves inside the console. The button hands `to`, which it does not know, on to it. */
export function LinkButton({ to, ...button }: Props) {
  return <Button {...button} component={Link} {...{ to }} />;
}
