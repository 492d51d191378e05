import { Label } from "@patternfly/react-core";
import type { Look } from "./states";

/** A state as a coloured word with an icon; the word alone carries the meaning. */
export function StateLabel({
  look,
  title,
  compact = true,
}: {
  look: Look;
  title?: string | undefined;
  compact?: boolean;
}) {
  const Icon = look.icon;
  return (
    <Label
      color={look.color}
      variant="outline"
      isCompact={compact}
      icon={
        <span className={`vm-state-icon vm-color-${look.color}${look.moving ? " vm-moving" : ""}`}>
          <Icon />
        </span>
      }
      title={title}
    >
      {look.text}
    </Label>
  );
}
