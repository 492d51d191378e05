import { t } from "@lingui/core/macro";
import { Button, Checkbox, FormSelect, FormSelectOption, TextArea, TextInput } from "@patternfly/react-core";
import PlusCircleIcon from "@patternfly/react-icons/dist/esm/icons/plus-circle-icon";
import { Field } from "@/ui/Field";
import { OptionName, SearchSelect, type Option } from "@/ui/SearchSelect";
import type { FieldSpec } from "./fields";

export const fieldIdOf = (name: string): string => `record-${name.replaceAll("/", "-")}`;

interface Props {
  spec: FieldSpec;
  /** Times are typed in UTC. */
  utc: boolean;
  value: string | boolean;
  error: string | undefined;
  disabled: boolean;
  onChange: (value: string | boolean) => void;
  /** This button creates a new option. */
  adds?: { title: string; onClick: () => void };
}

const TRUTHS: readonly Option[] = [
  ["true", t`Yes`],
  ["false", t`No`],
];
const TYPES = { secret: "password", time: "datetime-local", text: "text", number: "number" } as const;

export function FieldText({ spec, value }: { spec: FieldSpec; value: string | boolean }) {
  if (typeof value === "boolean") return <>{value ? t`yes` : t`no`}</>;
  if (value === "") return <>{"none" in spec && spec.none ? spec.none : t`nothing`}</>;
  if (spec.kind === "search") return <OptionName source={spec.source} value={value} />;
  if (spec.kind === "select") return <>{spec.options.find(([key]) => key === value)?.[1] ?? value}</>;
  return <>{value.split("\n").join(", ")}</>;
}

const helpOf = ({ kind, help }: FieldSpec, utc: boolean): string | undefined =>
  kind === "time" && utc ? [t`In UTC.`, help].filter(Boolean).join(" ") : help;

export function RecordField({ spec, utc, value, error, disabled, onChange, adds }: Props) {
  const id = fieldIdOf(spec.name);
  if (spec.kind === "check") {
    return (
      <div className="vm-check">
        <Checkbox
          id={id}
          label={spec.label}
          description={spec.help}
          isChecked={value === true}
          isDisabled={disabled}
          onChange={(_event, on) => onChange(on)}
        />
      </div>
    );
  }
  const text = String(value);
  const action = adds && (
    <div className="vm-add-record">
      <Button variant="link" isInline icon={<PlusCircleIcon />} onClick={adds.onClick}>
        {adds.title}
      </Button>
    </div>
  );
  const { label, required = false } = spec;
  return (
    <Field {...{ id, label, required, error, action }} help={helpOf(spec, utc)}>
      {(aria) => {
        if (spec.kind === "search") {
          return (
            <SearchSelect
              id={id}
              label={spec.label}
              source={spec.source}
              none={spec.none}
              value={text}
              describedBy={aria["aria-describedby"]}
              isRequired={aria.isRequired}
              isInvalid={error !== undefined}
              isDisabled={disabled}
              onChange={onChange}
            />
          );
        }
        const common = { ...aria, value: text, isDisabled: disabled } as const;
        if (spec.kind === "select" || spec.kind === "truth") {
          const options = spec.kind === "truth" ? TRUTHS : spec.options;
          const has = (wanted: string): boolean => options.some(([key]) => key === wanted);
          const blank = (spec.none !== undefined || text === "") && !has("");
          return (
            <FormSelect {...common} onChange={(_event, chosen) => onChange(chosen)}>
              {blank && <FormSelectOption value="" label={spec.none ?? t`Choose`} />}
              {options.map(([key, words]) => (
                <FormSelectOption key={key} value={key} label={words} />
              ))}
              {text !== "" && !has(text) && <FormSelectOption value={text} label={t`current: ${text}`} />}
            </FormSelect>
          );
        }
        if (spec.kind === "area" || spec.kind === "lines" || spec.kind === "secretLines") {
          return (
            <TextArea
              {...common}
              rows={3}
              resizeOrientation="vertical"
              className={spec.kind === "area" ? "" : "vm-mono"}
              autoComplete="off"
              spellCheck={spec.kind === "area"}
              onChange={(_event, typed) => onChange(typed)}
            />
          );
        }
        return (
          <TextInput
            {...common}
            type={TYPES[spec.kind]}
            {...(spec.kind === "number" ? { step: "any" } : {})}
            {...(spec.kind === "text" && spec.most !== undefined ? { maxLength: spec.most } : {})}
            autoComplete={spec.kind === "secret" ? (spec.isPresent ? "current-password" : "new-password") : "off"}
            spellCheck={false}
            onChange={(_event, typed) => onChange(typed)}
          />
        );
      }}
    </Field>
  );
}
