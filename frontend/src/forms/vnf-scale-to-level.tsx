import { Form, FormSelect, FormSelectOption } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { vnfInstanceScaleToLevel } from "@/api/calls";
import { q } from "@/api/queries";
import type { ScaleToLevelRequest, VnfInstance } from "@/api/types";
import { PlanDialog } from "./plan/PlanDialog";
import { Field } from "./settings/Field";

/** The instantiation levels of the instance's flavour, from its VNFD. */
function useLevels(instance: VnfInstance) {
  const { data: etsi } = useQuery(q.etsiVnfInstance(instance.id));
  const { data: vnfd } = useQuery(q.vnfd(instance.vnfdId));
  const flavourId = etsi?.instantiatedVnfInfo?.flavourId;
  return vnfd?.flavours.find((each) => each.id === flavourId)?.instantiationLevels ?? [];
}

export function ScaleToLevelDialog({ instance, onClose }: { instance: VnfInstance; onClose: () => void }) {
  const levels = useLevels(instance);
  const [chosen, setChosen] = useState<string>();
  const level = levels.find((each) => each.id === chosen);
  const request = useMemo<ScaleToLevelRequest>(() => ({ instantiationLevelId: chosen ?? "" }), [chosen]);
  const changes = instance.scale.map((aspect) => {
    const target = level?.scale[aspect.aspectId] ?? aspect.level;
    return `${aspect.name || aspect.aspectId}: ${aspect.level} → ${target}`;
  });
  return (
    <PlanDialog
      firstFieldId="scale-level"
      title={`Scale ${instance.name} to a level`}
      button="Scale to level"
      vnfInstanceId={instance.id}
      input={chosen ? { operation: "SCALE_TO_LEVEL", vnfInstanceId: instance.id, request } : undefined}
      run={() => vnfInstanceScaleToLevel(instance.id, request)}
      onClose={onClose}
    >
      <Form isHorizontal aria-label="Scale to level" onSubmit={(event) => event.preventDefault()}>
        <Field
          id="scale-level"
          label="Instantiation level"
          help={level && `${level.description} · ${changes.join(", ")}`}
        >
          {(aria) => (
            <FormSelect {...aria} value={chosen ?? ""} onChange={(_event, value) => setChosen(value || undefined)}>
              <FormSelectOption value="" label="Choose…" />
              {levels.map((each) => (
                <FormSelectOption key={each.id} value={each.id} label={each.id} />
              ))}
            </FormSelect>
          )}
        </Field>
      </Form>
    </PlanDialog>
  );
}
