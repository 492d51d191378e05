import LockIcon from "@patternfly/react-icons/dist/esm/icons/lock-icon";
import type { ReactNode } from "react";
import { Empty } from "./Empty";
import { useWhyNot, type Role } from "./rights";

/** What only some may look at; the others are told why they may not, and nothing is asked of the server. */
export function Withheld({ title, needs, children }: { title: string; needs: Role; children: ReactNode }) {
  const whyNot = useWhyNot(needs);
  if (whyNot === undefined) return children;
  return (
    <Empty title={title} icon={LockIcon}>
      {whyNot}
    </Empty>
  );
}
