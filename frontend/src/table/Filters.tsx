import { FormSelect, FormSelectOption, SearchInput } from "@patternfly/react-core";
import { SearchSelect, type OptionSource } from "@/ui/SearchSelect";
import { useDebouncedText } from "./useDebouncedText";
import type { ListView } from "@/ui/listView";

/** A search that asks the server when nothing has been typed for a moment; the address follows. */
export function SearchFilter({ view, name, label }: { view: ListView; name: string; label: string }) {
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
  view: ListView;
  name: string;
  label: string;
  /** What no choice is called. */
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
  /** What is asked within the choice, and means nothing within another one. */
  within?: string;
}

/** A filter by one of many options, which the server searches by the typed text. */
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
