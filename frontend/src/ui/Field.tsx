import { FormGroup, FormHelperText, HelperText, HelperTextItem } from "@patternfly/react-core";
import ExclamationCircleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon";
import ExclamationTriangleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon";
import type { ReactNode } from "react";

interface Props {
  id: string;
  label: string;
  required?: boolean;
  error?: string | undefined;
  /** The value may be wrong but is accepted. */
  warning?: string | undefined;
  help?: ReactNode;
  /** A control below the input. */
  action?: ReactNode;
  children: (aria: {
    id: string;
    "aria-describedby": string;
    isRequired: boolean;
    validated: "error" | "default";
  }) => ReactNode;
}

/** Help and error are connected with the input for assistive technology. */
export function Field({ id, label, required = false, error, warning, help, action, children }: Props) {
  const describedBy = `${id}-help`;
  return (
    <FormGroup label={label} fieldId={id} className={required ? "vm-required" : ""}>
      {children({ id, "aria-describedby": describedBy, isRequired: required, validated: error ? "error" : "default" })}
      {action}
      <FormHelperText>
        <HelperText id={describedBy}>
          {error && (
            <HelperTextItem variant="error" icon={<ExclamationCircleIcon />}>
              {error}
            </HelperTextItem>
          )}
          {warning && !error && (
            <HelperTextItem variant="warning" icon={<ExclamationTriangleIcon />}>
              {warning}
            </HelperTextItem>
          )}
          {help && <HelperTextItem>{help}</HelperTextItem>}
        </HelperText>
      </FormHelperText>
    </FormGroup>
  );
}
