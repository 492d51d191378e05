import { t } from "@lingui/core/macro";
import {
  FormSelect,
  FormSelectOption,
  SearchInput,
  ToggleGroup,
  ToggleGroupItem,
  Toolbar,
  ToolbarContent,
  ToolbarItem,
} from "@patternfly/react-core";
import ListIcon from "@patternfly/react-icons/dist/esm/icons/list-icon";
import ThLargeIcon from "@patternfly/react-icons/dist/esm/icons/th-large-icon";
import { PACKAGE_STATES } from "./packageActions";
import { useDebouncedText } from "@/table/useDebouncedText";
import type { Search } from "./search";

interface Props {
  search: Search;
  providers: readonly string[];
  onChange: (changed: Partial<Search>) => void;
}

export function SearchBar({ search, providers, onChange }: Props) {
  const [text, setText] = useDebouncedText(search.text, (typed) => onChange({ text: typed }));
  const states = Object.entries(PACKAGE_STATES) as [Search["state"], string][];
  return (
    <Toolbar className="vm-toolbar" aria-label={t`Search the catalog`}>
      <ToolbarContent>
        <ToolbarItem>
          <SearchInput
            aria-label={t`Search packages`}
            placeholder={t`Search`}
            value={text}
            onChange={(_event, typed) => setText(typed)}
            onClear={() => {
              setText("");
              onChange({ text: "" });
            }}
          />
        </ToolbarItem>
        <ToolbarItem>
          <FormSelect
            aria-label={t`Provider`}
            value={search.provider}
            onChange={(_event, provider) => onChange({ provider })}
          >
            <FormSelectOption value="" label={t`All providers`} />
            {providers.map((each) => (
              <FormSelectOption key={each} value={each} label={each} />
            ))}
          </FormSelect>
        </ToolbarItem>
        <ToolbarItem>
          <FormSelect
            aria-label={t`State`}
            value={search.state}
            onChange={(_event, state) => onChange({ state: state as Search["state"] })}
          >
            <FormSelectOption value="" label={t`All states`} />
            {states.map(([state, text]) => (
              <FormSelectOption key={state} value={state} label={text} />
            ))}
          </FormSelect>
        </ToolbarItem>
        <ToolbarItem align={{ default: "alignEnd" }}>
          <ToggleGroup aria-label={t`View`}>
            <ToggleGroupItem
              buttonId="view-cards"
              icon={<ThLargeIcon />}
              text={t`Cards`}
              isSelected={search.view === "cards"}
              onChange={() => onChange({ view: "cards" })}
            />
            <ToggleGroupItem
              buttonId="view-list"
              icon={<ListIcon />}
              text={t`List`}
              isSelected={search.view === "list"}
              onChange={() => onChange({ view: "list" })}
            />
          </ToggleGroup>
        </ToolbarItem>
      </ToolbarContent>
    </Toolbar>
  );
}
