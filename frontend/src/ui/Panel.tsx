import { Badge, Card, CardBody, CardHeader, CardTitle } from "@patternfly/react-core";
import type { ReactNode } from "react";

interface Props {
  title: string;
  count?: number;
  actions?: ReactNode;
  /** h2 stands directly below the page's heading, h3 inside another panel or a dialog. */
  level?: "h2" | "h3";
  children: ReactNode;
}

/** A titled region for assistive technology. */
export function Panel({ title, count, actions, level = "h2", children }: Props) {
  return (
    <Card isCompact component="section" aria-label={title} className="vm-panel">
      <CardHeader {...(actions ? { actions: { actions, hasNoOffset: true } } : {})}>
        <CardTitle component={level}>
          {title}
          {count !== undefined && (
            <Badge isRead className="vm-count">
              {count}
            </Badge>
          )}
        </CardTitle>
      </CardHeader>
      <CardBody>{children}</CardBody>
    </Card>
  );
}
