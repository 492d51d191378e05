import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import type { Equipment } from "@/api/types";
import { StateLabel } from "@/ui/StateLabel";
import { lookOfPart, type TreeNode } from "./equipment";

function State({ part }: { part: Equipment | undefined }) {
  if (!part || (part.adminState === "UNKNOWN" && part.operState === "UNKNOWN")) return null;
  return <StateLabel look={lookOfPart(part)} />;
}

interface Props {
  node: TreeNode;
  isOpen: boolean | undefined;
  /** A text or a link. */
  name: ReactNode;
  /** Stands at the end of the line. */
  children?: ReactNode;
}

/** The state includes everything inside the part. */
export function PartLine({ node: { part, failed }, isOpen, name, children }: Props) {
  return (
    <>
      <span className="vm-tree-title">{name}</span>
      {part?.type && <span className="vm-quiet vm-tree-type">{part.type}</span>}
      <span className="vm-tree-state">
        {!isOpen && failed > 0 && (
          <span className="vm-error-text">
            <Trans>{failed} not in service</Trans>
          </span>
        )}
        <State part={part} />
        {children}
      </span>
    </>
  );
}
