import {
  Badge,
  FormSelect,
  FormSelectOption,
  MenuToggle,
  SearchInput,
  Select,
  SelectList,
  SelectOption,
} from "@patternfly/react-core";
import { useState } from "react";
import { SearchSelect, type OptionSource } from "@/ui/SearchSelect";
import { useDebouncedText } from "./useDebouncedText";
import type { FilterView } from "@/ui/listView";

/** The address, and so the request, changes only when the user stops typing. */
export function SearchFilter({ view, name, label }: { view: FilterView; name: string; label: string }) {
  const ask = (text: string) => view.set({ [name]: text }, { typing: true });
  const [text, setText] = useDebouncedText(view.get(name), ask);
  return (
    <SearchInput
      className="vm-bar-search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(_event, typed) => setText(typed)}
      onClear={() => {
        setText("");
        ask("");
      }}
    />
  );
}

interface SelectProps {
  view: FilterView;
  name: string;
  label: string;
  /** Text for "no choice". */
  every: string;
  options: readonly (readonly [value: string, text: string])[];
}

export function SelectFilter({ view, name, label, every, options }: SelectProps) {
  return (
    <FormSelect
      className="vm-bar-select"
      aria-label={label}
      value={view.get(name)}
      onChange={(_event, value) => view.set({ [name]: value })}
    >
      <FormSelectOption value="" label={every} />
      {options.map(([value, text]) => (
        <FormSelectOption key={value} value={value} label={text} />
      ))}
    </FormSelect>
  );
}

interface ChoiceProps extends Omit<SelectProps, "options"> {
  source: OptionSource;
  /** The name of a filter that applies only within this choice. */
  within?: string;
}

/** The server searches the options by the typed text. */
export function ChoiceFilter({ view, name, label, every, source, within }: ChoiceProps) {
  return (
    <div className="vm-search-select">
      <SearchSelect
        label={label}
        none={every}
        source={source}
        value={view.get(name)}
        onChange={(value) => view.set({ ...(within ? { [within]: "" } : {}), [name]: value })}
      />
    </div>
  );
}

export function MultiFilter({ view, name, label, options }: Omit<SelectProps, "every">) {
  const [open, setOpen] = useState(false);
  const chosen = view.get(name).split(",").filter(Boolean);
  const toggle = (value: string) =>
    chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value].sort();
  return (
    <Select
      isOpen={open}
      onOpenChange={setOpen}
      selected={chosen}
      onSelect={(_event, value) => view.set({ [name]: toggle(String(value)).join(",") })}
      toggle={(ref) => (
        <MenuToggle ref={ref} onClick={() => setOpen(!open)} isExpanded={open}>
          {label} {chosen.length > 0 && <Badge isRead>{chosen.length}</Badge>}
        </MenuToggle>
      )}
    >
      <SelectList aria-label={label}>
        {options.map(([value, text]) => (
          <SelectOption key={value} value={value} hasCheckbox isSelected={chosen.includes(value)}>
            {text}
          </SelectOption>
        ))}
      </SelectList>
    </Select>
  );
}
