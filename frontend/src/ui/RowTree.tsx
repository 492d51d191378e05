import AngleDownIcon from "@patternfly/react-icons/dist/esm/icons/angle-down-icon";
import AngleRightIcon from "@patternfly/react-icons/dist/esm/icons/angle-right-icon";
import {
  memo,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { useInView } from "./useInView";

export interface TreeLine {
  id: string;
  /** Counted from 1. */
  level: number;
  parent: string | undefined;
  /** Position among the siblings (from 1) and their number. */
  place: number;
  siblings: number;
  /** Undefined: the line has no children. */
  isOpen: boolean | undefined;
  /** Typing the beginning of this text moves the focus here. */
  text: string;
}

/** Tab reaches controls inside a line only from that line. */
export type Reach = 0 | -1;

interface Props<Line extends TreeLine> {
  label: string;
  lines: readonly Line[];
  draw: (line: Line, reach: Reach) => ReactNode;
  onToggle: (line: Line) => void;
  /** A click outside links and buttons, or the space bar, chooses a line. */
  onChoose: (line: Line) => void;
  /** Enter does this, if it differs from choosing. */
  onEnter?: (line: Line) => void;
  /** "" when no line is chosen. */
  chosen?: string;
}

interface RowProps<Line extends TreeLine> extends Pick<Props<Line>, "draw" | "onToggle" | "onChoose"> {
  line: Line;
  id: string;
  isChosen: boolean;
  reach: Reach;
  self: RefObject<HTMLDivElement | null> | undefined;
}

function RowOf<Line extends TreeLine>({ line, id, isChosen, reach, self, draw, onToggle, onChoose }: RowProps<Line>) {
  const Angle = line.isOpen ? AngleDownIcon : AngleRightIcon;
  return (
    // RowTree handles the keys.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      ref={self}
      role="treeitem"
      aria-level={line.level}
      aria-posinset={line.place}
      aria-setsize={line.siblings}
      aria-selected={isChosen}
      {...(line.isOpen === undefined ? {} : { "aria-expanded": line.isOpen })}
      tabIndex={reach}
      className={isChosen ? "vm-tree-row vm-tree-chosen" : "vm-tree-row"}
      style={{ paddingInlineStart: `${(line.level - 1) * 1.25 + 0.4}rem` }}
      onClick={(event) => {
        // Links and buttons inside the line have their own click.
        if (event.target instanceof Element && !event.target.closest("a, button")) onChoose(line);
      }}
    >
      {/* This is for the mouse: the arrow keys do the same. */}
      <span
        className="vm-tree-angle"
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          onToggle(line);
        }}
      >
        {line.isOpen !== undefined && <Angle />}
      </span>
      {draw(line, reach)}
    </div>
  );
}
/** Moving the focus renders two lines, not all. */
const Row = memo(RowOf) as typeof RowOf;

const LETTER = /^[\p{L}\p{N}]$/u;
/** Letters typed within this time form one word. */
const TYPING_MS = 700;

/** The search starts after the focused line and continues at the top. */
function useTyped(lines: readonly TreeLine[], at: number) {
  const typed = useRef({ text: "", when: -TYPING_MS });
  return ({ key, timeStamp }: Pick<KeyboardEvent, "key" | "timeStamp">): TreeLine | undefined => {
    const goesOn = timeStamp - typed.current.when < TYPING_MS;
    const text = (goesOn ? typed.current.text : "") + key.toLowerCase();
    typed.current = { text, when: timeStamp };
    const from = text.length > 1 ? at : at + 1;
    return [...lines.slice(from), ...lines.slice(0, from)].find((line) => line.text.toLowerCase().startsWith(text));
  };
}

/**
 * The ARIA tree pattern: arrows, Home and End move, right and left expand and collapse, letters find a line. The
 * caller decides which lines are visible.
 */
export function RowTree<Line extends TreeLine>(props: Props<Line>) {
  const { label, lines, draw, onToggle, onChoose, onEnter = onChoose, chosen = "" } = props;
  const base = useId();
  const [focused, setFocused] = useState({ id: chosen, at: 0 });
  const [shown, setShown] = useState("");
  const found = lines.findIndex(({ id }) => id === focused.id);
  if (shown !== chosen && lines.some(({ id }) => id === chosen)) {
    setShown(chosen);
    setFocused({ id: chosen, at: 0 });
  } else if (found >= 0 && found !== focused.at) setFocused({ ...focused, at: found });
  const shownRow = useInView<HTMLDivElement>(shown, "nearest");
  // If the focused line disappears, the line that takes its place gets the focus.
  const at = found >= 0 ? found : Math.max(0, Math.min(focused.at, lines.length - 1));
  const typed = useTyped(lines, at);
  const idOf = (id: string) => `${base}${id}`;
  const isWithin = useRef(false);

  function go(line: TreeLine | undefined) {
    if (line) document.getElementById(idOf(line.id))?.focus();
  }
  function onFocus({ target }: FocusEvent) {
    isWithin.current = true;
    const item = target.closest("[role=treeitem]");
    const line = lines.find(({ id }) => idOf(id) === item?.id);
    if (line) setFocused({ id: line.id, at: lines.indexOf(line) });
  }
  useLayoutEffect(() => {
    // The focused line was removed, and nothing else has taken the focus.
    if (isWithin.current && document.activeElement === document.body) go(lines[at]);
  });
  function onKeyDown(event: KeyboardEvent) {
    const line = lines[at];
    if (!line || event.ctrlKey || event.altKey || event.metaKey) return;
    const isInside = event.target instanceof Element && event.target.getAttribute("role") !== "treeitem";
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(lines[at + 1]),
      ArrowUp: () => go(lines[at - 1]),
      Home: () => go(lines[0]),
      End: () => go(lines.at(-1)),
      ArrowRight: () => (line.isOpen === undefined ? undefined : line.isOpen ? go(lines[at + 1]) : onToggle(line)),
      ArrowLeft: () => (line.isOpen ? onToggle(line) : go(lines.find(({ id }) => id === line.parent))),
      // Enter and space on a control inside the line belong to that control.
      ...(isInside ? {} : { Enter: () => onEnter(line), " ": () => onChoose(line) }),
    };
    const move = moves[event.key] ?? (LETTER.test(event.key) ? () => go(typed(event)) : undefined);
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  }
  return (
    // The focus is on one of the items, whose key events bubble to here.
    // eslint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      role="tree"
      aria-label={label}
      className="vm-tree"
      onFocus={onFocus}
      onBlur={() => void (isWithin.current = false)}
      onKeyDown={onKeyDown}
    >
      {lines.map((line, index) => (
        <Row
          key={line.id}
          id={idOf(line.id)}
          line={line}
          isChosen={line.id === chosen}
          reach={index === at ? 0 : -1}
          self={line.id === shown ? shownRow : undefined}
          draw={draw}
          onToggle={onToggle}
          onChoose={onChoose}
        />
      ))}
    </div>
  );
}
