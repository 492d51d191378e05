import { Dropdown, DropdownItem, DropdownList, MenuToggle } from "@patternfly/react-core";
import { useRef, useState, type ReactNode } from "react";
import type { Action } from "@/api/types";
import { useDisabledReason } from "./rights";

interface Item<Name extends string> {
  name: Name;
  text: string;
  action: Action;
  danger: boolean;
}
interface Props<Name extends string> {
  text: string;
  /** A row's menu shows an icon instead of the text, which is then the label of the toggle. */
  icon?: ReactNode;
  items: readonly Item<Name>[];
  onChoose: (name: Name) => void;
}

/** A disabled action stays reachable by keyboard and says why it is disabled. */
export function ActionMenu<Name extends string>({ text, icon, items, onChoose }: Props<Name>) {
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const whyNot = useDisabledReason();
  /** A dialog returns the focus to the element that had it; the menu item is gone by then, but the toggle is not. */
  function choose(name: Name) {
    toggle.current?.focus();
    onChoose(name);
  }
  return (
    <Dropdown
      isOpen={open}
      onOpenChange={setOpen}
      onSelect={() => setOpen(false)}
      // A scrolling table would cut off a row's menu.
      popperProps={{ position: "right", ...(icon ? {} : { appendTo: "inline" }) }}
      shouldFocusFirstItemOnOpen
      toggle={{
        toggleRef: toggle,
        toggleNode: (
          <MenuToggle
            ref={toggle}
            isExpanded={open}
            onClick={() => setOpen(!open)}
            {...(icon ? { variant: "plain", icon, "aria-label": text } : { variant: "secondary", children: text })}
          />
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
