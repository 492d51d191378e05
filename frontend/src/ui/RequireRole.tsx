import LockIcon from "@patternfly/react-icons/dist/esm/icons/lock-icon";
import type { ReactNode } from "react";
import { Empty } from "./Empty";
import { useDisabledReason, type Role } from "./rights";

/** What only some may look at; the others are told why they may not, and nothing is asked of the server. */
export function RequireRole({ title, needs, children }: { title: string; needs: Role; children: ReactNode }) {
  const whyNot = useDisabledReason(needs);
  if (whyNot === undefined) return children;
  return (
    <Empty title={title} icon={LockIcon}>
      {whyNot}
    </Empty>
  );
}
