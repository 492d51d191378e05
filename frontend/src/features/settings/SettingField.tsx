import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Checkbox, FormSelect, FormSelectOption, TextArea, TextInput } from "@patternfly/react-core";
import { Fragment, useId, useState } from "react";
import type { PlanSetting, Setting } from "@/api/types";
import { fieldId, settingField } from "./settingFields";
import { Field } from "@/ui/Field";
import { originText } from "@/ui/originText";
import { choicesOf, rawOf, type Raw } from "./validate";

/** Values to choose instead of typing. */
interface Offer {
  title: string;
  values: readonly string[];
  onTake: (value: string) => void;
}

export interface SettingFieldProps {
  setting: Setting;
  raw: Raw;
  error: string | undefined;
  /** Follows the setting's own description. */
  note?: string | undefined;
  /** The value that a plan found. */
  planned?: PlanSetting | undefined;
  offer?: Offer | undefined;
  /** `undefined` restores the default. */
  onChange: (raw: Raw | undefined) => void;
  onBlur?: () => void;
}

/** Says where the shown or default value comes from; a typed value has no origin. */
export function OriginNote({ raw, planned }: Pick<SettingFieldProps, "raw" | "planned">) {
  if (!planned || planned.origin === "request") return null;
  const value = rawOf(planned.value);
  const who = originText(planned.origin);
  if (raw !== value) {
    return raw === "" ? (
      <span className="vm-origin">
        <Trans>
          Empty: <code>{value}</code>, {who}
        </Trans>
      </span>
    ) : null;
  }
  return value === "" ? null : <span className={`vm-origin vm-origin-${planned.origin}`}>{who}</span>;
}

function helpOf({ setting, raw, note, planned }: SettingFieldProps) {
  const usual = rawOf(setting.default);
  const shown = usual !== "" && usual !== raw && !setting.hidden;
  const list = setting.type === "list" ? t`Separate by commas. ` : "";
  return (
    <>
      {setting.description} {list}
      {note} <OriginNote raw={raw} planned={planned} />{" "}
      {shown && (
        <span className="vm-default">
          <Trans>
            Default: <code>{usual}</code>
          </Trans>
        </span>
      )}
    </>
  );
}

/** A browser's datalist would show only values that begin with the text in the field. */
function Offered({ title, values, onTake }: Offer) {
  const id = useId();
  if (values.length === 0) return null;
  return (
    <div role="group" aria-labelledby={id} className="vm-quiet">
      <span id={id}>{title}</span>
      {values.map((value) => (
        <Fragment key={value}>
          {" "}
          <Button variant="link" isInline onClick={() => onTake(value)}>
            {value}
          </Button>
        </Fragment>
      ))}
    </div>
  );
}

export function SettingField(props: SettingFieldProps) {
  const { setting, raw, error, offer, onChange, onBlur } = props;
  const id = fieldId(settingField(setting.name));
  if (setting.type === "boolean") return <SwitchField {...props} />;
  const choices = choicesOf(setting);
  return (
    <Field id={id} label={setting.label} required={setting.required} error={error} help={helpOf(props)}>
      {(aria) => {
        if (choices) {
          return (
            <FormSelect {...aria} value={raw} onChange={(_event, value) => onChange(value)}>
              {!choices.includes(raw) && <FormSelectOption value={raw} label={raw === "" ? t`Choose…` : raw} />}
              {choices.map((choice) => (
                <FormSelectOption key={choice} value={choice} label={choice === "" ? t`(empty)` : choice} />
              ))}
            </FormSelect>
          );
        }
        if (setting.hidden) return <SecretInput {...props} aria={aria} />;
        const input = { ...aria, value: raw, onBlur, onChange: (_event: unknown, value: string) => onChange(value) };
        if (setting.type === "json")
          return <TextArea {...input} resizeOrientation="vertical" rows={4} className="vm-mono" />;
        return (
          <>
            <TextInput
              {...input}
              type="text"
              inputMode={setting.type === "number" ? "decimal" : "text"}
              autoComplete="off"
              spellCheck={false}
            />
            {offer && <Offered {...offer} />}
          </>
        );
      }}
    </Field>
  );
}

function SwitchField({ setting, raw, error, planned, onChange }: SettingFieldProps) {
  const id = fieldId(settingField(setting.name));
  return (
    <div className="vm-check">
      <Checkbox
        id={id}
        label={setting.label}
        isChecked={raw === "true"}
        onChange={(_event, checked) => onChange(String(checked))}
        description={
          <>
            {setting.description} <OriginNote raw={raw} planned={planned} />
          </>
        }
        body={error && <span className="vm-error-text">{error}</span>}
      />
    </div>
  );
}

interface Aria {
  id: string;
  "aria-describedby": string;
  isRequired: boolean;
  validated: "error" | "default";
}
function SecretInput({ setting, raw, onChange, onBlur, aria }: SettingFieldProps & { aria: Aria }) {
  const [shown, setShown] = useState(false);
  return (
    <div className="vm-secret">
      <TextInput
        {...aria}
        type={shown ? "text" : "password"}
        autoComplete="new-password"
        value={raw}
        onChange={(_event, value) => onChange(value)}
        onBlur={onBlur}
      />
      <Button
        variant="control"
        onClick={() => setShown(!shown)}
        aria-label={shown ? t`Hide ${setting.label}` : t`Show ${setting.label}`}
      >
        {shown ? t`Hide` : t`Show`}
      </Button>
    </div>
  );
}
