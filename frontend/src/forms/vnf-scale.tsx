import { Form, FormSelect, FormSelectOption, NumberInput } from "@patternfly/react-core";
import { useMemo, useState } from "react";
import { vnfInstanceScale } from "@/api/calls";
import type { ScaleRequest, VnfInstance } from "@/api/types";
import { room } from "@/instance/actions";
import { plural } from "@/ui/format";
import { PlanDialog } from "./plan/PlanDialog";
import { Field } from "./settings/Field";

interface Props {
  instance: VnfInstance;
  type: ScaleRequest["type"];
  onClose: () => void;
}

export function ScaleDialog({ instance, type, onClose }: Props) {
  const aspects = instance.scale;
  const [aspectId, setAspectId] = useState(
    (aspects.find((each) => room(each, type) > 0) ?? aspects[0])?.aspectId ?? "",
  );
  const [steps, setSteps] = useState(1);
  const aspect = aspects.find((each) => each.aspectId === aspectId);
  const most = aspect ? room(aspect, type) : 0;
  const chosen = Math.min(steps, most);
  const request = useMemo<ScaleRequest>(() => ({ type, aspectId, numberOfSteps: chosen }), [type, aspectId, chosen]);
  const word = type === "SCALE_OUT" ? "Scale out" : "Scale in";
  const sign = type === "SCALE_OUT" ? 1 : -1;
  return (
    <PlanDialog
      firstFieldId="scale-aspect"
      title={`${word} ${instance.name}`}
      button={word}
      vnfInstanceId={instance.id}
      input={chosen > 0 ? { operation: "SCALE", vnfInstanceId: instance.id, request } : undefined}
      run={() => vnfInstanceScale(instance.id, request)}
      onClose={onClose}
    >
      <Form isHorizontal aria-label={word} onSubmit={(event) => event.preventDefault()}>
        <Field id="scale-aspect" label="Scaling aspect">
          {(aria) => (
            <FormSelect {...aria} value={aspectId} onChange={(_event, value) => setAspectId(value)}>
              {aspects.map((each) => (
                <FormSelectOption key={each.aspectId} value={each.aspectId} label={each.name || each.aspectId} />
              ))}
            </FormSelect>
          )}
        </Field>
        <Field
          id="scale-steps"
          label="Steps"
          help={
            aspect &&
            (most > 0
              ? `Level ${aspect.level} becomes ${aspect.level + sign * chosen} (0 to ${aspect.maxLevel}).`
              : `The aspect is at level ${aspect.level} of ${aspect.maxLevel}: ${plural(0, "step")} left.`)
          }
        >
          {({ id }) => (
            <NumberInput
              inputProps={{ id }}
              inputName="steps"
              inputAriaLabel="Steps"
              minusBtnAriaLabel="One step less"
              plusBtnAriaLabel="One step more"
              value={chosen}
              min={1}
              max={most}
              onMinus={() => setSteps(chosen - 1)}
              onPlus={() => setSteps(chosen + 1)}
              onChange={(event) => setSteps(Math.max(1, Math.trunc(Number(event.currentTarget.value)) || 1))}
              widthChars={4}
            />
          )}
        </Field>
      </Form>
    </PlanDialog>
  );
}
