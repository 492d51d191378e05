import LockIcon from "@patternfly/react-icons/dist/esm/icons/lock-icon";
import type { ReactNode } from "react";
import { Empty } from "./Empty";
import { useMissingRole, type Role } from "./rights";

/** Users without the role see which one is needed, and no request is sent. */
export function RequireRole({ title, needs, children }: { title: string; needs: Role; children: ReactNode }) {
  const whyNot = useMissingRole(needs);
  if (whyNot === undefined) return children;
  return (
    <Empty title={title} icon={LockIcon}>
      {whyNot}
    </Empty>
  );
}
