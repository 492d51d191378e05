import { t } from "@lingui/core/macro";
import { Form, FormSelect, FormSelectOption } from "@patternfly/react-core";
import { useState } from "react";
import type { VnfInstance } from "@/api/types";
import { OperationDialog } from "./OperationDialog";
import { useFlavour } from "./useFlavour";
import { Field } from "@/ui/Field";

export function ScaleToLevelDialog({ instance, onClose }: { instance: VnfInstance; onClose: () => void }) {
  const levels = useFlavour(instance).flavour?.instantiationLevels ?? [];
  const [chosen, setChosen] = useState<string>();
  const level = levels.find((each) => each.id === chosen);
  const changes = instance.scale.map((aspect) => {
    const target = level?.scale[aspect.aspectId] ?? aspect.level;
    return `${aspect.name || aspect.aspectId}: ${aspect.level} → ${target}`;
  });
  return (
    <OperationDialog
      instance={instance}
      operation="SCALE_TO_LEVEL"
      request={chosen ? { instantiationLevelId: chosen } : undefined}
      firstFieldId="scale-level"
      title={t`Scale ${instance.name} to a level`}
      button={t`Scale to level`}
      incomplete={t`Choose a level to see its plan.`}
      onClose={onClose}
    >
      <Form isHorizontal aria-label={t`Scale to level`} onSubmit={(event) => event.preventDefault()}>
        <Field
          id="scale-level"
          label={t`Instantiation level`}
          help={level && `${level.description} · ${changes.join(", ")}`}
        >
          {(aria) => (
            <FormSelect {...aria} value={chosen ?? ""} onChange={(_event, value) => setChosen(value || undefined)}>
              <FormSelectOption value="" label={t`Choose…`} />
              {levels.map((each) => (
                <FormSelectOption key={each.id} value={each.id} label={each.id} />
              ))}
            </FormSelect>
          )}
        </Field>
      </Form>
    </OperationDialog>
  );
}
