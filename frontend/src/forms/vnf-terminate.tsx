import { Form, FormSelect, FormSelectOption, TextInput } from "@patternfly/react-core";
import { useMemo, useState } from "react";
import { vnfInstanceTerminate } from "@/api/calls";
import type { TerminateRequest, VnfInstance } from "@/api/types";
import { PlanDialog } from "./plan/PlanDialog";
import { Field } from "./settings/Field";

export function TerminateDialog({ instance, onClose }: { instance: VnfInstance; onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [terminationType, setType] = useState<TerminateRequest["terminationType"]>("GRACEFUL");
  const request = useMemo<TerminateRequest>(() => ({ terminationType }), [terminationType]);
  return (
    <PlanDialog
      danger
      firstFieldId="terminate-name"
      title={`Terminate ${instance.name}`}
      button="Terminate"
      vnfInstanceId={instance.id}
      input={{ operation: "TERMINATE", vnfInstanceId: instance.id, request }}
      agreed={typed.trim() === instance.name}
      run={() => vnfInstanceTerminate(instance.id, request)}
      onClose={onClose}
    >
      <p>
        Its VNFCs stop and its resources in the cloud are deleted. Type <strong>{instance.name}</strong> to agree.
      </p>
      <Form isHorizontal aria-label="Terminate" onSubmit={(event) => event.preventDefault()}>
        <Field id="terminate-name" label="Name of the instance" required>
          {(aria) => (
            <TextInput {...aria} value={typed} onChange={(_event, value) => setTyped(value)} autoComplete="off" />
          )}
        </Field>
        <Field
          id="terminate-type"
          label="Termination"
          help={
            terminationType === "GRACEFUL" ? "VNFCs are shut down, then deleted." : "VNFCs are deleted as they run."
          }
        >
          {(aria) => (
            <FormSelect
              {...aria}
              value={terminationType}
              onChange={(_event, value) => setType(value as TerminateRequest["terminationType"])}
            >
              <FormSelectOption value="GRACEFUL" label="Graceful" />
              <FormSelectOption value="FORCEFUL" label="Forceful" />
            </FormSelect>
          )}
        </Field>
      </Form>
    </PlanDialog>
  );
}
