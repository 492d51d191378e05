import { t } from "@lingui/core/macro";
import { FormSelect, FormSelectOption, NumberInput } from "@patternfly/react-core";
import type { StopType } from "@/api/types";
import { Field } from "@/ui/Field";
import { typedNumber } from "@/ui/typedNumber";

interface Stop {
  type: StopType;
  /** Seconds; used only by a graceful stop. */
  timeout: number;
}
export const USUAL_STOP: Stop = { type: "GRACEFUL", timeout: 60 };
const MOST_SECONDS = 3600;
const STEP_SECONDS = 30;

interface Props {
  idPrefix: string;
  label: string;
  /** Explains each way of stopping. */
  help: Record<StopType, string>;
  value: Stop;
  onChange: (value: Stop) => void;
}

/** SOL003 5.5.4.5, 5.5.2.9. */
export function StopFields({ idPrefix, label, help, value, onChange }: Props) {
  const set = (timeout: number) => onChange({ ...value, timeout: Math.min(MOST_SECONDS, Math.max(0, timeout)) });
  return (
    <>
      <Field id={`${idPrefix}-type`} label={label} help={help[value.type]}>
        {(aria) => (
          <FormSelect
            {...aria}
            value={value.type}
            onChange={(_event, type) => onChange({ ...value, type: type as StopType })}
          >
            <FormSelectOption value="GRACEFUL" label={t`Graceful`} />
            <FormSelectOption value="FORCEFUL" label={t`Forceful`} />
          </FormSelect>
        )}
      </Field>
      {value.type === "GRACEFUL" && (
        <Field
          id={`${idPrefix}-timeout`}
          label={t`Time limit`}
          help={t`Seconds until a forceful stop, at most ${MOST_SECONDS}.`}
        >
          {({ id }) => (
            <NumberInput
              inputProps={{ id }}
              inputName="timeout"
              inputAriaLabel={t`Time limit`}
              minusBtnAriaLabel={t`Less time`}
              plusBtnAriaLabel={t`More time`}
              value={value.timeout}
              min={0}
              max={MOST_SECONDS}
              unit="s"
              onMinus={() => set(value.timeout - STEP_SECONDS)}
              onPlus={() => set(value.timeout + STEP_SECONDS)}
              onChange={(event) => set(typedNumber(event))}
              widthChars={5}
            />
          )}
        </Field>
      )}
    </>
  );
}
