import { Form } from "@patternfly/react-core";
import { useState } from "react";
import type { OperateRequest, Vnfc, VnfInstance } from "@/api/types";
import { OperationDialog } from "./operation/OperationDialog";
import { StopFields, USUAL_STOP } from "./operation/StopFields";

interface Props {
  instance: VnfInstance;
  to: OperateRequest["changeStateTo"];
  /** The one that is started or stopped; without it every VNFC. */
  only?: Vnfc;
  onClose: () => void;
}

const HELP = {
  GRACEFUL: "The guests are asked to shut down.",
  FORCEFUL: "The power is cut.",
};

export function OperateDialog({ instance, to, only, onClose }: Props) {
  const [stop, setStop] = useState(USUAL_STOP);
  const stopping = to === "STOPPED";
  const request: OperateRequest = {
    changeStateTo: to,
    ...(only ? { vnfcInstanceId: [only.id] } : {}),
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
      title={`${stopping ? "Stop" : "Start"} ${(only ?? instance).name}`}
      button={stopping ? "Stop" : "Start"}
      onClose={onClose}
    >
      {stopping ? (
        <>
          <p>
            {only ? "It stops and carries" : "Its VNFCs stop and carry"} no traffic until{" "}
            {only ? "it is started again" : "they are started again"}; its resources in the cloud stay.
          </p>
          <Form isHorizontal aria-label="Stop" onSubmit={(event) => event.preventDefault()}>
            <StopFields idPrefix="operate" label="Stop" help={HELP} value={stop} onChange={setStop} />
          </Form>
        </>
      ) : (
        <p>{only ? `${only.name} is started if it is stopped.` : "Every VNFC that is stopped is started."}</p>
      )}
    </OperationDialog>
  );
}
