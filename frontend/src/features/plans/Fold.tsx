import { ExpandableSection } from "@patternfly/react-core";
import { useState, type ReactNode } from "react";

interface Props {
  /** With the number of what is inside. */
  title: string;
  isOpen?: boolean;
  children: ReactNode;
}

/** What an operator may want to see, and mostly does not. */
export function Fold({ title, isOpen = false, children }: Props) {
  const [open, setOpen] = useState(isOpen);
  return (
    <ExpandableSection toggleText={title} isExpanded={open} onToggle={(_event, next) => setOpen(next)}>
      {children}
    </ExpandableSection>
  );
}
