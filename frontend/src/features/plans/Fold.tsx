import { ExpandableSection } from "@patternfly/react-core";
import { useState, type ReactNode } from "react";

interface Props {
  /** Includes the number of items inside. */
  title: string;
  isOpen?: boolean;
  children: ReactNode;
}

/** Most operators do not need this content. */
export function Fold({ title, isOpen = false, children }: Props) {
  const [open, setOpen] = useState(isOpen);
  return (
    <ExpandableSection toggleText={title} isExpanded={open} onToggle={(_event, next) => setOpen(next)}>
      {children}
    </ExpandableSection>
  );
}
