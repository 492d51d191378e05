import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ActionGroup, Button, Checkbox, Form, FormSelect, FormSelectOption, TextInput } from "@patternfly/react-core";
import type { FieldErrors } from "@/api/problem";
import type { Demanded, Figures } from "@/api/types";
import { Field } from "@/ui/Field";
import { amountOf, hasRates, type DemandDraft } from "./demandDraft";

interface Props {
  figures: Figures;
  draft: DemandDraft;
  errors: FieldErrors;
  busy: boolean;
  onChange: (draft: DemandDraft) => void;
  onAsk: () => void;
}

export const demandId = (field: string): string => `demand-${field}`;

function Amount({ demanded, draft, errors, onChange }: Omit<Props, "figures"> & { demanded: Demanded }) {
  const { dimension, label, description, units } = demanded;
  const amount = amountOf(draft, demanded);
  const change = (patch: Partial<typeof amount>) =>
    onChange({ ...draft, amounts: { ...draft.amounts, [dimension]: { ...amount, ...patch } } });
  return (
    <Field id={demandId(dimension)} label={label} error={errors[dimension]} help={description}>
      {(aria) => (
        <div className="vm-amount">
          <TextInput
            {...aria}
            inputMode="decimal"
            autoComplete="off"
            value={amount.text}
            onChange={(_event, text) => change({ text })}
          />
          {units.length > 1 && (
            <FormSelect
              aria-label={t`Unit of ${label}`}
              value={amount.unit}
              onChange={(_event, unit) => change({ unit })}
            >
              {units.map((unit) => (
                <FormSelectOption key={unit} value={unit} label={unit} />
              ))}
            </FormSelect>
          )}
        </div>
      )}
    </Field>
  );
}

function Frames({ figures, draft, errors, onChange }: Props) {
  const measured = figures.frames.length > 0 && t`Measured: ${figures.frames.join(", ")} bytes.`;
  return (
    <>
      <Field
        id={demandId("frameSize")}
        label={t`Frame size (bytes)`}
        error={errors["frameSize"]}
        help={[t`Of each Ethernet frame, including FCS.`, measured].filter(Boolean).join(" ")}
      >
        {(aria) => (
          <TextInput
            {...aria}
            inputMode="numeric"
            autoComplete="off"
            isDisabled={draft.imix}
            value={draft.imix ? "" : draft.frameSize}
            onChange={(_event, frameSize) => onChange({ ...draft, frameSize })}
          />
        )}
      </Field>
      {figures.imix && (
        <Checkbox
          className="vm-check"
          id={demandId("imix")}
          label={t`IMIX (mixed frame sizes)`}
          isChecked={draft.imix}
          onChange={(_event, imix) => onChange({ ...draft, imix })}
        />
      )}
    </>
  );
}

/** The form has only the dimensions for which the package has figures. */
export function DemandForm(props: Props) {
  const { figures, draft, errors, busy, onChange, onAsk } = props;
  const host = figures.hosts.find((each) => each.id === draft.hostType);
  return (
    <Form
      aria-label={t`Demand`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onAsk();
      }}
    >
      {(figures.hosts.length > 0 || hasRates(figures)) && (
        <fieldset className="vm-group">
          <legend>
            <Trans>Conditions</Trans>
          </legend>
          {figures.hosts.length > 0 && (
            <Field id={demandId("hostType")} label={t`Host type`} error={errors["hostType"]} help={host?.description}>
              {(aria) => (
                <FormSelect
                  {...aria}
                  value={draft.hostType}
                  onChange={(_event, hostType) => onChange({ ...draft, hostType })}
                >
                  {figures.hosts.map((each) => (
                    <FormSelectOption key={each.id} value={each.id} label={each.name} />
                  ))}
                </FormSelect>
              )}
            </Field>
          )}
          {hasRates(figures) && <Frames {...props} />}
        </fieldset>
      )}
      <fieldset className="vm-group">
        <legend>
          <Trans>Demand</Trans>
        </legend>
        {figures.demand.map((demanded) => (
          <Amount key={demanded.dimension} {...props} demanded={demanded} />
        ))}
      </fieldset>
      <ActionGroup>
        <Button type="submit" isLoading={busy}>
          <Trans>Calculate size</Trans>
        </Button>
      </ActionGroup>
    </Form>
  );
}
