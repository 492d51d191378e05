import { t } from "@lingui/core/macro";
import { Form, FormSelect, FormSelectOption } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { q } from "@/api/queries";
import type { VnfInstance, VnfInstanceSummary } from "@/api/types";
import { StopFields, USUAL_STOP } from "@/features/lifecycle/StopFields";
import { useFlavour } from "@/features/lifecycle/useFlavour";
import { Field } from "@/ui/Field";
import type { BulkOperation, BulkRequest } from "./bulkPlan";

interface Choices {
  levelId: string;
  stop: typeof USUAL_STOP;
}
export const USUAL_CHOICES: Choices = { levelId: "", stop: USUAL_STOP };

/** Undefined until a level is chosen. */
export function requestOfChoices(operation: BulkOperation, { levelId, stop }: Choices): BulkRequest | undefined {
  if (operation === "HEAL") return { additionalParams: { method: "auto" } };
  if (operation === "SCALE_TO_LEVEL") return levelId ? { instantiationLevelId: levelId } : undefined;
  return {
    terminationType: stop.type,
    ...(stop.type === "GRACEFUL" ? { gracefulTerminationTimeout: stop.timeout } : {}),
  };
}

interface FieldProps {
  value: Choices;
  onChange: (value: Choices) => void;
}

/** The levels are those of the first instance; the plan excludes others that have no level of that name. */
function LevelField({ instance, value, onChange }: FieldProps & { instance: VnfInstance }) {
  const levels = useFlavour(instance).flavour?.instantiationLevels ?? [];
  return (
    <Field id="bulk-level" label={t`Instantiation level`} help={t`Of the deployment flavour of ${instance.name}.`}>
      {(aria) => (
        <FormSelect {...aria} value={value.levelId} onChange={(_event, levelId) => onChange({ ...value, levelId })}>
          <FormSelectOption value="" label={t`Choose…`} />
          {levels.map((each) => (
            <FormSelectOption key={each.id} value={each.id} label={each.id} />
          ))}
        </FormSelect>
      )}
    </Field>
  );
}

const STOP_HELP = {
  GRACEFUL: t`VNFCs are shut down, then deleted.`,
  FORCEFUL: t`Running VNFCs are deleted.`,
};

interface Props extends FieldProps {
  operation: BulkOperation;
  first: VnfInstanceSummary | undefined;
}

/** The choices apply to all instances. */
export function BulkChoices({ operation, first, value, onChange }: Props) {
  const scales = operation === "SCALE_TO_LEVEL";
  const { data: instance } = useQuery({ ...q.vnfInstance(first?.id ?? ""), enabled: scales && first !== undefined });
  if (operation === "HEAL") return null;
  return (
    <Form isHorizontal aria-label={t`Settings`} onSubmit={(event) => event.preventDefault()}>
      {scales ? (
        instance && <LevelField instance={instance} value={value} onChange={onChange} />
      ) : (
        <StopFields
          idPrefix="bulk-stop"
          label={t`Termination`}
          help={STOP_HELP}
          value={value.stop}
          onChange={(stop) => onChange({ ...value, stop })}
        />
      )}
    </Form>
  );
}
