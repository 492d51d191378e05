import { t } from "@lingui/core/macro";
import { Checkbox } from "@patternfly/react-core";
import { CREATE_FLAVORS_LABEL } from "@/api/problem";

interface Props {
  id: string;
  isChecked: boolean;
  error: string | undefined;
  onChange: (agreed: boolean) => void;
}

/** Agreement to what changes the cloud beyond the VNF: without it a VDU that no flavor fits refuses the operation. */
export function CreateFlavors({ id, isChecked, error, onChange }: Props) {
  return (
    <Checkbox
      id={id}
      label={CREATE_FLAVORS_LABEL}
      description={t`I agree that the VNF manager creates Nova flavors in this cloud, where its rights allow.`}
      isChecked={isChecked}
      onChange={(_event, agreed) => onChange(agreed)}
      body={error && <span className="vm-error-text">{error}</span>}
    />
  );
}
