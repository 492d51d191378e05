interface Props {
  /** By which the button is described. */
  id: string;
  summary: string | undefined;
}

/** What is agreed to, said once more where it is agreed to: the plan's own first line may be out of sight there. */
export const SummaryAtButton = ({ id, summary }: Props) =>
  summary ? (
    <span id={id} className="vm-summary-at-button">
      {summary}
    </span>
  ) : null;
