import { t } from "@lingui/core/macro";
import { Checkbox } from "@patternfly/react-core";
import { useId } from "react";
import { TableCell } from "./Cells";

interface Props {
  /** "CardFailure of pe-1" */
  name: string;
  isChosen: boolean;
  onChoose: (on: boolean) => void;
}

interface AllProps {
  isChosen: boolean;
  onChoose: (on: boolean) => void;
}
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

/** PatternFly's `select` always labels its box "Select row 7", which says nothing to a screen reader's user. */
export function ChooseCell({ name, isChosen, onChoose }: Props) {
  const id = useId();
  return (
    <TableCell className="pf-v6-c-table__check">
      <Checkbox id={id} aria-label={t`Choose ${name}`} isChecked={isChosen} onChange={(_event, on) => onChoose(on)} />
    </TableCell>
  );
}
