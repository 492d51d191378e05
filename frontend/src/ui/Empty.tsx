import { EmptyState, EmptyStateActions, EmptyStateBody, EmptyStateFooter } from "@patternfly/react-core";
import type { ComponentType, ReactNode } from "react";

/** An empty list says what belongs here and how to get the first one. */
export function Empty({
  title,
  icon,
  children,
  action,
}: {
  title: string;
  icon: ComponentType;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <EmptyState titleText={title} headingLevel="h2" icon={icon}>
      <EmptyStateBody>{children}</EmptyStateBody>
      {action && (
        <EmptyStateFooter>
          <EmptyStateActions>{action}</EmptyStateActions>
        </EmptyStateFooter>
      )}
    </EmptyState>
  );
}
