import { Dropdown, DropdownItem, DropdownList, MenuToggle } from "@patternfly/react-core";
import { useRef, useState } from "react";
import type { Action } from "@/api/types";
import { useWhyNot } from "./rights";

interface Item<Name extends string> {
  name: Name;
  text: string;
  action: Action;
  danger: boolean;
}
interface Props<Name extends string> {
  text: string;
  items: readonly Item<Name>[];
  onChoose: (name: Name) => void;
}

/** Actions that are no buttons of their own; an unlit one stays reachable by keyboard and says why it is off. */
export function ActionMenu<Name extends string>({ text, items, onChoose }: Props<Name>) {
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const whyNot = useWhyNot();
  /** A dialog gives the focus back to what had it before: the item is gone by then, the toggle is not. */
  function choose(name: Name) {
    toggle.current?.focus();
    onChoose(name);
  }
  return (
    <Dropdown
      isOpen={open}
      onOpenChange={setOpen}
      onSelect={() => setOpen(false)}
      popperProps={{ position: "right", appendTo: "inline" }}
      shouldFocusFirstItemOnOpen
      toggle={{
        toggleRef: toggle,
        toggleNode: (
          <MenuToggle ref={toggle} variant="secondary" isExpanded={open} onClick={() => setOpen(!open)}>
            {text}
          </MenuToggle>
        ),
      }}
    >
      <DropdownList aria-label={text}>
        {items.map(({ name, text: words, action, danger }) => {
          const enabled = action.enabled && !whyNot;
          return (
            <DropdownItem
              key={name}
              isDanger={danger && enabled}
              isAriaDisabled={!enabled}
              {...(enabled ? {} : { tooltipProps: { content: whyNot ?? action.disabledReason, position: "left" } })}
              onClick={() => enabled && choose(name)}
            >
              {words}
            </DropdownItem>
          );
        })}
      </DropdownList>
    </Dropdown>
  );
}
