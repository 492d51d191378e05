import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, FormSelect, FormSelectOption, TextInput, ToolbarItem } from "@patternfly/react-core";
import { isoOfTyped, typedTime } from "@/ui/format";
import { useIsUtc } from "@/ui/zone";
import { PERIODS, type Range } from "./series";

export function RangeFields({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  const isUtc = useIsUtc();
  return (
    <>
      <ToolbarItem>
        <FormSelect
          aria-label={t`Time range`}
          value={String(range.minutes)}
          onChange={(_event, value) => onChange({ ...range, minutes: Number(value) })}
        >
          {PERIODS.map(([minutes, text]) => (
            <FormSelectOption key={minutes} value={String(minutes)} label={text} />
          ))}
        </FormSelect>
      </ToolbarItem>
      <ToolbarItem>
        <label className="vm-busy">
          {isUtc ? t`until (UTC)` : t`until`}
          <TextInput
            type="datetime-local"
            aria-label={isUtc ? t`until (UTC)` : t`until`}
            value={range.until && typedTime(range.until)}
            onChange={(_event, value) => onChange({ ...range, until: isoOfTyped(value) })}
          />
        </label>
      </ToolbarItem>
      <ToolbarItem alignSelf="center">
        {range.until === "" ? (
          <span className="vm-quiet">
            <Trans>now</Trans>
          </span>
        ) : (
          <Button variant="link" isInline onClick={() => onChange({ ...range, until: "" })}>
            <Trans>Until now</Trans>
          </Button>
        )}
      </ToolbarItem>
    </>
  );
}
