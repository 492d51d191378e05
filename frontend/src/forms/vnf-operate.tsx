import { Form } from "@patternfly/react-core";
import { useState } from "react";
import type { OperateRequest, VnfInstance } from "@/api/types";
import { OperationDialog } from "./operation/OperationDialog";
import { StopFields, USUAL_STOP } from "./operation/StopFields";

interface Props {
  instance: VnfInstance;
  to: OperateRequest["changeStateTo"];
  onClose: () => void;
}

const HELP = {
  GRACEFUL: "The guests are asked to shut down.",
  FORCEFUL: "The power is cut.",
};

export function OperateDialog({ instance, to, onClose }: Props) {
  const [stop, setStop] = useState(USUAL_STOP);
  const stopping = to === "STOPPED";
  const request: OperateRequest = {
    changeStateTo: to,
    ...(stopping ? { stopType: stop.type } : {}),
    ...(stopping && stop.type === "GRACEFUL" ? { gracefulStopTimeout: stop.timeout } : {}),
  };
  return (
    <OperationDialog
      danger={stopping}
      instance={instance}
      operation="OPERATE"
      request={request}
      {...(stopping ? { firstFieldId: "operate-type" } : {})}
      title={`${stopping ? "Stop" : "Start"} ${instance.name}`}
      button={stopping ? "Stop" : "Start"}
      onClose={onClose}
    >
      {stopping ? (
        <>
          <p>Its VNFCs stop and carry no traffic until they are started again; its resources in the cloud stay.</p>
          <Form isHorizontal aria-label="Stop" onSubmit={(event) => event.preventDefault()}>
            <StopFields idPrefix="operate" label="Stop" help={HELP} value={stop} onChange={setStop} />
          </Form>
        </>
      ) : (
        <p>Every VNFC that is stopped is started.</p>
      )}
    </OperationDialog>
  );
}
