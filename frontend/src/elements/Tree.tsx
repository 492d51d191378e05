import AngleDownIcon from "@patternfly/react-icons/dist/esm/icons/angle-down-icon";
import AngleRightIcon from "@patternfly/react-icons/dist/esm/icons/angle-right-icon";
import { useMemo, useState, type KeyboardEvent, type RefObject } from "react";
import type { Equipment, NetworkElement } from "@/api/types";
import { ADMIN_STATE, EQUIPMENT_STATE } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { useInView } from "@/ui/useInView";
import { above, openAtFirst, rowsOf, treeOf, type TreeRow } from "./tree";

const idOf = (fdn: string): string => `part-${fdn}`;

interface Props {
  element: NetworkElement;
  parts: readonly Equipment[];
  chosen: string;
  onChoose: (fdn: string) => void;
}

function State({ part }: { part: Equipment | undefined }) {
  if (!part || (part.adminState === "UNKNOWN" && part.operState === "UNKNOWN")) return null;
  const down = part.adminState === "DOWN";
  return <StateLabel look={down ? { ...ADMIN_STATE.DOWN, text: "Shut down" } : EQUIPMENT_STATE[part.operState]} />;
}

interface RowProps {
  row: TreeRow;
  isOpen: boolean;
  isChosen: boolean;
  isFocused: boolean;
  self: RefObject<HTMLDivElement | null> | undefined;
  onToggle: () => void;
  onChoose: () => void;
}

function Row({ row, isOpen, isChosen, isFocused, self, onToggle, onChoose }: RowProps) {
  const { node, level, place, siblings } = row;
  const parent = node.children.length > 0;
  const Angle = isOpen ? AngleDownIcon : AngleRightIcon;
  return (
    // The keys are the tree's; see there.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={idOf(node.fdn)}
      ref={self}
      role="treeitem"
      aria-level={level}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-selected={isChosen}
      {...(parent ? { "aria-expanded": isOpen } : {})}
      tabIndex={isFocused ? 0 : -1}
      className={isChosen ? "vm-tree-row vm-tree-chosen" : "vm-tree-row"}
      style={{ paddingInlineStart: `${(level - 1) * 1.25 + 0.4}rem` }}
      onClick={onChoose}
    >
      {/* For the mouse: the arrow keys do the same. */}
      {}
      <span
        className="vm-tree-angle"
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          onToggle();
        }}
      >
        {parent && <Angle />}
      </span>
      <span className="vm-tree-title">{node.title}</span>
      {node.part?.type && <span className="vm-quiet vm-tree-type">{node.part.type}</span>}
      <span className="vm-tree-state">
        {!isOpen && node.troubled > 0 && <span className="vm-error-text">{node.troubled} below not in service</span>}
        <State part={node.part} />
      </span>
    </div>
  );
}

/** The parts of an element as a tree (ARIA tree pattern): arrows, Home and End move, right and left open and close. */
export function Tree({ element, parts, chosen, onChoose }: Props) {
  const tree = useMemo(() => treeOf(element, parts), [element, parts]);
  const [opened, setOpened] = useState<ReadonlySet<string>>();
  const open = useMemo(() => opened ?? openAtFirst(tree, parts), [opened, tree, parts]);
  const rows = useMemo(() => rowsOf(tree, open), [tree, open]);
  const [focused, setFocused] = useState(chosen);
  // What the address chooses is not to be looked for behind closed parts; they may be closed again.
  const [shown, setShown] = useState("");
  if (shown !== chosen && parts.some(({ fdn }) => fdn === chosen)) {
    setShown(chosen);
    setFocused(chosen);
    const way = above(chosen, parts);
    if (way.some((fdn) => !open.has(fdn))) setOpened(new Set([...open, ...way]));
  }
  const chosenRow = useInView<HTMLDivElement>(shown, "nearest");
  const at = Math.max(
    0,
    rows.findIndex(({ node }) => node.fdn === focused),
  );

  function toggle(fdn: string) {
    const next = new Set(open);
    if (!next.delete(fdn)) next.add(fdn);
    setOpened(next);
  }
  function go(row: TreeRow | undefined) {
    if (!row) return;
    setFocused(row.node.fdn);
    document.getElementById(idOf(row.node.fdn))?.focus();
  }
  function onKeyDown(event: KeyboardEvent) {
    const row = rows[at];
    if (!row) return;
    const { fdn, children } = row.node;
    const isOpen = open.has(fdn);
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(rows[at + 1]),
      ArrowUp: () => go(rows[at - 1]),
      Home: () => go(rows[0]),
      End: () => go(rows.at(-1)),
      ArrowRight: () => (children.length === 0 ? undefined : isOpen ? go(rows[at + 1]) : toggle(fdn)),
      ArrowLeft: () =>
        isOpen && children.length > 0 ? toggle(fdn) : go(rows.find(({ node }) => node.fdn === row.parent)),
      Enter: () => onChoose(fdn),
      " ": () => onChoose(fdn),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }
  return (
    // The focus is on one of its items; the keys come up from there.
    // eslint-disable-next-line jsx-a11y/interactive-supports-focus
    <div role="tree" aria-label={`Equipment of ${element.name}`} className="vm-tree" onKeyDown={onKeyDown}>
      {rows.map((row, index) => (
        <Row
          key={row.node.fdn}
          row={row}
          isOpen={open.has(row.node.fdn)}
          isChosen={row.node.fdn === chosen}
          isFocused={index === at}
          self={row.node.fdn === shown ? chosenRow : undefined}
          onToggle={() => toggle(row.node.fdn)}
          onChoose={() => {
            setFocused(row.node.fdn);
            onChoose(row.node.fdn);
          }}
        />
      ))}
    </div>
  );
}
