import { plural, t } from "@lingui/core/macro";
import { Form, FormGroup, FormSelect, FormSelectOption, NumberInput, Radio } from "@patternfly/react-core";
import { useState } from "react";
import type { ScaleRequest, VnfInstance } from "@/api/types";
import { drainParams } from "./drain";
import { DrainChoice } from "./DrainChoice";
import { levelText, remainingSteps, stepsText, vmsOf } from "./scaleSteps";
import { OperationDialog } from "./OperationDialog";
import { useFlavour } from "./useFlavour";
import { VnfcPicker } from "./VnfcPicker";
import { Field } from "@/ui/Field";
import { typedNumber } from "@/ui/typedNumber";
import { stepText } from "@/ui/stepText";

interface Props {
  instance: VnfInstance;
  type: ScaleRequest["type"];
  onClose: () => void;
}

/** The server removes the VNFCs in the highest slots unless the user chooses as many as the steps remove. */
function useVnfcsToRemove(instance: VnfInstance, aspectId: string, steps: number) {
  const { flavour } = useFlavour(instance);
  const [byName, setByName] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const deltas = flavour?.scalingAspects.find((each) => each.id === aspectId)?.deltas ?? [];
  const vnfcs = instance.vnfcs.filter((vnfc) => deltas.some(({ vduId }) => vduId === vnfc.vduId));
  const going = vnfcs.filter((vnfc) => chosen.has(vnfc.id));
  const wanted = deltas.reduce((sum, { step }) => sum + step, 0) * steps;
  const each = deltas.length > 1 ? stepText(deltas, steps) : "";
  return {
    ...{ byName, setByName, chosen, setChosen, vnfcs, wanted, each },
    ids: byName ? going.map((vnfc) => vnfc.id) : undefined,
    missing: byName ? wanted - going.length : 0,
  };
}

function VnfcsToRemove({ going }: { going: ReturnType<typeof useVnfcsToRemove> }) {
  return (
    <FormGroup role="radiogroup" label={t`VNFCs to remove`} fieldId="scale-going" hasNoPaddingTop isStack>
      <Radio
        id="scale-highest"
        name="going"
        label={t`Highest slots`}
        isChecked={!going.byName}
        onChange={() => going.setByName(false)}
      />
      <Radio
        id="scale-named"
        name="going"
        label={t`Choose ${going.each || plural(going.wanted, { one: "# VNFC", other: "# VNFCs" })}`}
        isChecked={going.byName}
        onChange={() => going.setByName(true)}
        body={
          going.byName && (
            <VnfcPicker
              label={t`VNFCs of the scaling aspect`}
              actionLabel={(name) => t`Remove ${name}`}
              vnfcs={going.vnfcs}
              chosen={going.chosen}
              onChange={going.setChosen}
              inPairs
            />
          )
        }
      />
    </FormGroup>
  );
}

const choiceText = (missing: number): string =>
  missing > 0
    ? t`Choose ${plural(missing, { one: "# more VNFC", other: "# more VNFCs" })} to see the plan.`
    : t`Deselect ${plural(-missing, { one: "# VNFC", other: "# VNFCs" })}.`;

export function ScaleDialog({ instance, type, onClose }: Props) {
  const aspects = instance.scale;
  const [aspectId, setAspectId] = useState(
    (aspects.find((each) => remainingSteps(each, type) > 0) ?? aspects[0])?.aspectId ?? "",
  );
  const [steps, setSteps] = useState(1);
  const aspect = aspects.find((each) => each.aspectId === aspectId);
  const most = aspect ? remainingSteps(aspect, type) : 0;
  const isPossible = steps >= 1 && steps <= most;
  const count = isPossible ? steps : 0;
  const going = useVnfcsToRemove(instance, aspectId, count);
  const { vnfd, flavour } = useFlavour(instance);
  const vms = aspect && vmsOf(aspect, instance.vnfcs, flavour);
  const [drain, setDrain] = useState(true);
  const params = {
    ...(going.ids ? { vnfcToRemove: going.ids } : {}),
    ...(type === "SCALE_IN" ? drainParams(vnfd, drain) : {}),
  };
  const complete = isPossible && going.missing === 0;
  const word = type === "SCALE_OUT" ? t`Scale out` : t`Scale in`;
  const sign = type === "SCALE_OUT" ? 1 : -1;
  const request: ScaleRequest = {
    ...{ type, aspectId, numberOfSteps: count },
    ...(Object.keys(params).length > 0 ? { additionalParams: params } : {}),
  };
  return (
    <OperationDialog
      instance={instance}
      operation="SCALE"
      request={complete ? request : undefined}
      firstFieldId="scale-aspect"
      title={type === "SCALE_OUT" ? t`Scale out ${instance.name}` : t`Scale in ${instance.name}`}
      button={word}
      danger={type === "SCALE_IN"}
      incomplete={
        most === 0
          ? t`No scaling steps left.`
          : isPossible
            ? choiceText(going.missing)
            : t`Enter 1 to ${most} steps to see the plan.`
      }
      onClose={onClose}
    >
      <Form isHorizontal aria-label={word} onSubmit={(event) => event.preventDefault()}>
        <Field id="scale-aspect" label={t`Scaling aspect`}>
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
          label={t`Steps`}
          error={isPossible || most === 0 ? undefined : t`Between 1 and ${most} steps are possible.`}
          help={
            aspect &&
            (most === 0
              ? t`No steps left: ${levelText(aspect, vms)}.`
              : isPossible
                ? stepsText(aspect, vms, sign * count)
                : undefined)
          }
        >
          {({ id }) => (
            <NumberInput
              inputProps={{ id }}
              inputName="steps"
              inputAriaLabel={t`Steps`}
              minusBtnAriaLabel={t`One step less`}
              plusBtnAriaLabel={t`One step more`}
              value={steps}
              min={1}
              max={most}
              onMinus={() => setSteps(steps - 1)}
              onPlus={() => setSteps(steps + 1)}
              onChange={(event) => setSteps(typedNumber(event))}
              widthChars={4}
            />
          )}
        </Field>
        {type === "SCALE_IN" && count > 0 && <VnfcsToRemove going={going} />}
        {type === "SCALE_IN" && <DrainChoice vnfd={vnfd} drain={drain} onChange={setDrain} />}
      </Form>
    </OperationDialog>
  );
}
