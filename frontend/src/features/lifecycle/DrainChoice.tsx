import { t } from "@lingui/core/macro";
import { Checkbox, FormGroup } from "@patternfly/react-core";
import type { Vnfd } from "@/api/types";
import { hasRouters } from "./drain";

interface Props {
  vnfd: Vnfd | undefined;
  drain: boolean;
  onChange: (drain: boolean) => void;
}

/** Shown only for a VNF whose VNFCs are routers. */
export function DrainChoice({ vnfd, drain, onChange }: Props) {
  if (!hasRouters(vnfd)) return null;
  return (
    <FormGroup label={t`Traffic`} role="group" fieldId="drain" hasNoPaddingTop>
      <Checkbox
        id="drain"
        label={t`Drain routers first`}
        description={
          drain
            ? t`Neighbours take other paths before a router goes. Refused where there are none.`
            : t`What crosses a router that goes is lost until its neighbours notice.`
        }
        isChecked={drain}
        onChange={(_event, checked) => onChange(checked)}
      />
    </FormGroup>
  );
}
