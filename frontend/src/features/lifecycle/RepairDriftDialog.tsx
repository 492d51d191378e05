import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { HealRequest, VnfInstance } from "@/api/types";
import { OperationDialog } from "./OperationDialog";

/** A repair is a heal operation that also corrects all other differences. */
const REPAIR: HealRequest = { cause: "Drift", additionalParams: { repair: true } };

export function RepairDriftDialog({ instance, onClose }: { instance: VnfInstance; onClose: () => void }) {
  return (
    <OperationDialog
      instance={instance}
      operation="HEAL"
      request={REPAIR}
      title={t`Repair ${instance.name}`}
      button={t`Repair`}
      onClose={onClose}
    >
      <p>
        <Trans>VNFCs are restored to their desired state. VNFCs without drift are not touched.</Trans>
      </p>
    </OperationDialog>
  );
}
