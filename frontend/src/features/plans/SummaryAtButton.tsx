interface Props {
  /** The button refers to this id as its description. */
  id: string;
  summary: string | undefined;
}

/** Repeats the summary next to the button, because the plan's first line may be scrolled out of view. */
export const SummaryAtButton = ({ id, summary }: Props) =>
  summary ? (
    <span id={id} className="vm-summary-at-button">
      {summary}
    </span>
  ) : null;
