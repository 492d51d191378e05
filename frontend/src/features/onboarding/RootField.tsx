import { t } from "@lingui/core/macro";
import { FormGroup, FormSelect, FormSelectOption } from "@patternfly/react-core";

interface Props {
  /** Empty if the files show which template is the root. */
  candidates: readonly string[];
  root: string;
  disabled: boolean;
  onChoose: (root: string) => void;
}

export function RootField({ candidates, root, disabled, onChoose }: Props) {
  if (candidates.length === 0) return null;
  return (
    <FormGroup label={t`Root template`} fieldId="onboard-root">
      <FormSelect
        id="onboard-root"
        value={root}
        isDisabled={disabled}
        onChange={(_event, chosen) => onChoose(chosen)}
        aria-label={t`Root template`}
      >
        <FormSelectOption value="" label={t`Choose one of ${candidates.length}`} isPlaceholder />
        {candidates.map((path) => (
          <FormSelectOption key={path} value={path} label={path} />
        ))}
      </FormSelect>
    </FormGroup>
  );
}
