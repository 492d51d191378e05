import { FormSelect, FormSelectOption, SearchInput, ToolbarItem } from "@patternfly/react-core";
import { useEffect, useState } from "react";
import { SearchSelect, type Source } from "@/ui/SearchSelect";
import type { ListView } from "./view";

const PAUSE_MS = 300;

/** A search that asks the server when nothing has been typed for a moment; the address follows. */
export function SearchFilter({ view, name, label }: { view: ListView; name: string; label: string }) {
  const asked = view.get(name);
  const [text, setText] = useState(asked);
  const [seen, setSeen] = useState(asked);
  // Another link, or a filter taken away, changes the address under the field.
  if (asked !== seen) {
    setSeen(asked);
    if (asked !== text.trim()) setText(asked);
  }
  useEffect(() => {
    if (text.trim() === asked) return undefined;
    const timer = setTimeout(() => view.set({ [name]: text.trim() }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, asked, name, view]);
  return (
    <ToolbarItem>
      <SearchInput
        aria-label={label}
        placeholder="Search"
        value={text}
        onChange={(_event, typed) => setText(typed)}
        onClear={() => {
          setText("");
          view.set({ [name]: "" });
        }}
      />
    </ToolbarItem>
  );
}

interface SelectProps {
  view: ListView;
  name: string;
  label: string;
  /** What no choice is called. */
  every: string;
  options: readonly (readonly [value: string, text: string])[];
}

export function SelectFilter({ view, name, label, every, options }: SelectProps) {
  return (
    <ToolbarItem>
      <FormSelect aria-label={label} value={view.get(name)} onChange={(_event, value) => view.set({ [name]: value })}>
        <FormSelectOption value="" label={every} />
        {options.map(([value, text]) => (
          <FormSelectOption key={value} value={value} label={text} />
        ))}
      </FormSelect>
    </ToolbarItem>
  );
}

/** A filter by one of many, which the server finds as somebody types. */
export function ChoiceFilter({ view, name, label, every, source }: Omit<SelectProps, "options"> & { source: Source }) {
  return (
    <ToolbarItem className="vm-search-select">
      <SearchSelect
        label={label}
        none={every}
        source={source}
        value={view.get(name)}
        onChange={(value) => view.set({ [name]: value })}
      />
    </ToolbarItem>
  );
}
