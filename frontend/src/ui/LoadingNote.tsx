import { Spinner } from "@patternfly/react-core";
import type { ReactNode } from "react";

export function LoadingNote({ children }: { children: ReactNode }) {
  return (
    <div className="vm-pending" role="status">
      <Spinner size="lg" aria-hidden="true" />
      <span>{children}</span>
    </div>
  );
}
