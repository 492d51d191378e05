import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import { lazy, Suspense, useState } from "react";
import type { VnfInstanceSummary } from "@/api/types";
import { ChangeButton } from "@/ui/ActionButton";
import { BULK, type BulkOperation } from "./bulkPlan";

const BulkDialog = lazy(() => import("./BulkDialog"));
const MOST = 50;

interface Props {
  instances: readonly VnfInstanceSummary[];
  onClear: () => void;
}

export function BulkBar({ instances, onClear }: Props) {
  const [open, setOpen] = useState<BulkOperation>();
  const count = instances.length;
  if (count === 0 && !open) return null;
  const whyNot = count > MOST ? t`At most ${MOST} instances at once.` : undefined;
  return (
    <>
      <div className="vm-bulk" role="group" aria-label={t`Selected VNF instances`}>
        <strong>{plural(count, { one: "# instance selected", other: "# instances selected" })}</strong>
        <span className="vm-buttons">
          {(Object.keys(BULK) as BulkOperation[]).map((operation) => (
            <ChangeButton
              key={operation}
              variant="secondary"
              size="sm"
              isDanger={operation === "TERMINATE"}
              whyNot={whyNot}
              onClick={() => setOpen(operation)}
            >
              {BULK[operation].text}
            </ChangeButton>
          ))}
        </span>
        <Button variant="link" isInline onClick={onClear}>
          <Trans>Clear selection</Trans>
        </Button>
      </div>
      <Suspense>
        {open && (
          <BulkDialog
            operation={open}
            instances={instances}
            onClose={() => {
              setOpen(undefined);
              onClear();
            }}
          />
        )}
      </Suspense>
    </>
  );
}
