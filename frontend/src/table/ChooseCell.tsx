import { t } from "@lingui/core/macro";
import { Checkbox } from "@patternfly/react-core";
import { useId } from "react";
import { TableCell } from "./Cells";

interface Props {
  /** What the row is about: "CardFailure of pe-1". */
  name: string;
  isChosen: boolean;
  onChoose: (on: boolean) => void;
}

interface AllProps {
  isChosen: boolean;
  onChoose: (on: boolean) => void;
}
/** The box that chooses all rows of the page. */
export function ChooseAllCell({ isChosen, onChoose }: AllProps) {
  const id = useId();
  return (
    <TableCell heads="col" className="pf-v6-c-table__check">
      <Checkbox
        id={id}
        aria-label={t`Choose all on this page`}
        isChecked={isChosen}
        onChange={(_event, on) => onChoose(on)}
      />
    </TableCell>
  );
}

/** The box that chooses a row. That of PatternFly's `select` is "Select row 7" to who cannot see it, whatever it is given. */
export function ChooseCell({ name, isChosen, onChoose }: Props) {
  const id = useId();
  return (
    <TableCell className="pf-v6-c-table__check">
      <Checkbox id={id} aria-label={t`Choose ${name}`} isChecked={isChosen} onChange={(_event, on) => onChoose(on)} />
    </TableCell>
  );
}
