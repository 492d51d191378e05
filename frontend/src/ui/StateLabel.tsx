import "@patternfly/react-styles/css/components/Label/label.css";
import type { Look } from "./states";

interface Props {
  look: Look;
  title?: string | undefined;
  compact?: boolean;
}

/**
 * The word alone carries the meaning; colour and icon support it. It uses PatternFly's classes and not its
 * component, which listens to the whole document and measures itself: a list has hundreds of labels.
 */
export function StateLabel({ look: { color, icon: Icon, moving, text, filled }, title, compact = true }: Props) {
  const hue = filled ? ` vm-filled vm-fill-${color}` : color === "grey" ? "" : ` pf-m-${color}`;
  const modifiers = `pf-m-outline${hue}${compact ? " pf-m-compact" : ""}`;
  return (
    <span className={`pf-v6-c-label ${modifiers}`} title={title}>
      <span className="pf-v6-c-label__content">
        <span className="pf-v6-c-label__icon">
          <span className={`vm-state-icon vm-color-${color}${moving ? " vm-moving" : ""}`}>
            <Icon />
          </span>
        </span>
        <span className="pf-v6-c-label__text">{text}</span>
      </span>
    </span>
  );
}
