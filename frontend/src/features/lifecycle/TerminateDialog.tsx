import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Form } from "@patternfly/react-core";
import { useState } from "react";
import type { TerminateRequest, VnfInstance } from "@/api/types";
import { OperationDialog } from "./OperationDialog";
import { StopFields, USUAL_STOP } from "./StopFields";
import { isTyped, TypedName } from "@/ui/TypedName";

const HELP = {
  GRACEFUL: t`VNFCs are shut down, then deleted.`,
  FORCEFUL: t`Running VNFCs are deleted.`,
};

export function TerminateDialog({ instance, onClose }: { instance: VnfInstance; onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [stop, setStop] = useState(USUAL_STOP);
  const request: TerminateRequest = {
    terminationType: stop.type,
    ...(stop.type === "GRACEFUL" ? { gracefulTerminationTimeout: stop.timeout } : {}),
  };
  return (
    <OperationDialog
      danger
      instance={instance}
      operation="TERMINATE"
      request={request}
      firstFieldId="terminate-name"
      title={t`Terminate ${instance.name}`}
      button={t`Terminate`}
      agreed={isTyped(typed, instance.name)}
      onClose={onClose}
    >
      <p>
        <Trans>Its VNFCs stop and its cloud resources are deleted.</Trans>
      </p>
      <Form isHorizontal aria-label={t`Terminate`} onSubmit={(event) => event.preventDefault()}>
        <TypedName
          id="terminate-name"
          label={t`Name of the instance`}
          name={instance.name}
          value={typed}
          onChange={setTyped}
        />
        <StopFields idPrefix="terminate" label={t`Termination`} help={HELP} value={stop} onChange={setStop} />
      </Form>
    </OperationDialog>
  );
}
