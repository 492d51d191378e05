import { useEffect, useImperativeHandle, useRef, type Ref } from "react";

export interface CodeAreaHandle {
  /** Moves the focus to a line (from 1) and selects it. */
  goTo: (line: number) => void;
}

interface Props {
  id: string;
  label: string;
  value: string;
  /** The text is read-only without this. */
  onChange?: (text: string) => void;
  /** Lines (from 1) with findings. */
  marked?: ReadonlySet<number>;
  /** The line to show first. */
  first?: number;
  describedBy?: string;
  invalid?: boolean;
  disabled?: boolean;
  ref?: Ref<CodeAreaHandle>;
}

const NONE: ReadonlySet<number> = new Set();

function show(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split("\n").length;
  area.scrollTop = (area.scrollHeight / lines) * (line - 1) - area.clientHeight / 3;
}

/** A plain text area, so that keyboard and screen reader work as usual. */
export function CodeArea(props: Props) {
  const { id, label, value, onChange, marked = NONE, first = 0, describedBy, invalid = false, disabled, ref } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLOListElement>(null);
  useImperativeHandle(ref, () => ({
    goTo(line) {
      if (!area.current) return;
      const lines = area.current.value.split("\n");
      const from = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
      area.current.focus();
      area.current.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
      show(area.current, line);
    },
  }));
  useEffect(() => {
    if (area.current && first > 0) show(area.current, first);
  }, [first, value]);
  return (
    <div className="vm-code-area">
      <ol ref={gutter} aria-hidden="true">
        {value.split("\n").map((_line, index) => (
          <li key={index} className={marked.has(index + 1) ? "vm-marked" : undefined}>
            {index + 1}
          </li>
        ))}
      </ol>
      <textarea
        id={id}
        ref={area}
        aria-label={label}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        disabled={disabled}
        readOnly={!onChange}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
        onScroll={(event) => {
          if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
        }}
      />
    </div>
  );
}
