import { Form } from "@patternfly/react-core";
import { useState } from "react";
import type { TerminateRequest, VnfInstance } from "@/api/types";
import { OperationDialog } from "./operation/OperationDialog";
import { StopFields, USUAL_STOP } from "./operation/StopFields";
import { isTyped, TypedName } from "./operation/TypedName";

const HELP = {
  GRACEFUL: "VNFCs are shut down, then deleted.",
  FORCEFUL: "VNFCs are deleted as they run.",
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
      title={`Terminate ${instance.name}`}
      button="Terminate"
      agreed={isTyped(typed, instance.name)}
      onClose={onClose}
    >
      <p>Its VNFCs stop and its resources in the cloud are deleted.</p>
      <Form isHorizontal aria-label="Terminate" onSubmit={(event) => event.preventDefault()}>
        <TypedName
          id="terminate-name"
          label="Name of the instance"
          name={instance.name}
          value={typed}
          onChange={setTyped}
        />
        <StopFields idPrefix="terminate" label="Termination" help={HELP} value={stop} onChange={setStop} />
      </Form>
    </OperationDialog>
  );
}
