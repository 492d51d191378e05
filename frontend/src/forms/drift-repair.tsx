import type { HealRequest, VnfInstance } from "@/api/types";
import { OperationDialog } from "./operation/OperationDialog";

/** A repair is a heal that puts right all other differences as well. */
const REPAIR: HealRequest = { cause: "Drift", additionalParams: { repair: true } };

export function RepairDialog({ instance, onClose }: { instance: VnfInstance; onClose: () => void }) {
  return (
    <OperationDialog
      instance={instance}
      operation="HEAL"
      request={REPAIR}
      title={`Repair ${instance.name}`}
      button="Repair"
      onClose={onClose}
    >
      <p>What differs from what is wanted is brought back. VNFCs that are as they should be are not touched.</p>
    </OperationDialog>
  );
}
