import { t } from "@lingui/core/macro";
import { Form } from "@patternfly/react-core";
import { useState } from "react";
import type { OperateRequest, Vnfc, VnfInstance } from "@/api/types";
import { drainParams } from "./drain";
import { DrainChoice } from "./DrainChoice";
import { OperationDialog } from "./OperationDialog";
import { StopFields, USUAL_STOP } from "./StopFields";
import { titleOf } from "./titleOf";
import { useFlavour } from "./useFlavour";

interface Props {
  instance: VnfInstance;
  to: OperateRequest["changeStateTo"];
  /** Without this, all VNFCs are started or stopped. */
  only?: Vnfc;
  onClose: () => void;
}

const HELP = {
  GRACEFUL: t`The guests are shut down.`,
  FORCEFUL: t`The power is cut.`,
};

export function OperateDialog({ instance, to, only, onClose }: Props) {
  const [stop, setStop] = useState(USUAL_STOP);
  const stopping = to === "STOPPED";
  const [drain, setDrain] = useState(true);
  const { vnfd } = useFlavour(instance);
  // Stopping the whole VNF leaves no other path for its traffic, so draining makes no sense.
  const drained = stopping && only?.vduId === vnfd?.element?.perComponentOf ? vnfd : undefined;
  const params = drainParams(drained, drain);
  const name = titleOf(instance, only);
  const request: OperateRequest = {
    changeStateTo: to,
    ...(only ? { vnfcInstanceId: [only.id] } : {}),
    ...(stopping ? { stopType: stop.type } : {}),
    ...(stopping && stop.type === "GRACEFUL" ? { gracefulStopTimeout: stop.timeout } : {}),
    ...(Object.keys(params).length > 0 ? { additionalParams: params } : {}),
  };
  return (
    <OperationDialog
      danger={stopping}
      instance={instance}
      operation="OPERATE"
      request={request}
      {...(stopping ? { firstFieldId: "operate-type" } : {})}
      title={stopping ? t`Stop ${name}` : t`Start ${name}`}
      button={stopping ? t`Stop` : t`Start`}
      onClose={onClose}
    >
      {stopping ? (
        <>
          <p>
            {only
              ? t`It stops and carries no traffic until it is started. Its cloud resources stay.`
              : t`Its VNFCs stop and carry no traffic until they are started. Their cloud resources stay.`}
          </p>
          <Form isHorizontal aria-label={t`Stop`} onSubmit={(event) => event.preventDefault()}>
            <StopFields idPrefix="operate" label={t`Stop`} help={HELP} value={stop} onChange={setStop} />
            <DrainChoice vnfd={drained} drain={drain} onChange={setDrain} />
          </Form>
        </>
      ) : (
        <p>{only ? t`${only.title} is started if it is stopped.` : t`All stopped VNFCs are started.`}</p>
      )}
    </OperationDialog>
  );
}
