import { t } from "@lingui/core/macro";
import {
  Button,
  MenuToggle,
  Select,
  SelectList,
  SelectOption,
  TextInputGroup,
  TextInputGroupMain,
  TextInputGroupUtilities,
} from "@patternfly/react-core";
import TimesIcon from "@patternfly/react-icons/dist/esm/icons/times-icon";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState, type KeyboardEvent } from "react";
import { useDebounced } from "./useDebounced";

export type Option = readonly [value: string, text: string];

/** The server searches options that are too many to list. */
export interface OptionSource {
  /** Distinguishes sources in query keys. */
  key: string;
  /** Finds options whose text contains `text`; `more` says that there are others. */
  find: (text: string) => Promise<{ options: Option[]; more: boolean }>;
  /** Returns the text of a value that was chosen before. */
  nameOf: (value: string) => Promise<string>;
}

const nameKey = (source: OptionSource, value: string) => ["option", source.key, value];

export function OptionName({ source, value }: { source: OptionSource; value: string }) {
  const { data, isError } = useQuery({ queryKey: nameKey(source, value), queryFn: () => source.nameOf(value) });
  return <>{data ?? (isError ? value : "…")}</>;
}

/** Matches open choices and menus and the controls that opened them. */
const OPEN = "[role=combobox][aria-expanded=true], .pf-v6-c-menu-toggle.pf-m-expanded, .pf-v6-c-menu";

/**
 * Escape in an open choice or menu closes only that. If it has closed before this is called, it has already handled
 * the key.
 */
export const isInOpenChoice = (event: { target: EventTarget | null; defaultPrevented: boolean }): boolean =>
  event.defaultPrevented || (event.target instanceof Element && event.target.closest(OPEN) !== null);

/** No option is active. */
const NONE = -1;

interface Props {
  source: OptionSource;
  value: string;
  onChange: (value: string) => void;
  /** Text for "no choice"; without it the user has to choose. */
  none?: string | undefined;
  /** Needed where a `<label>` refers to it. */
  id?: string;
  /** The labels of its buttons contain this. */
  label: string;
  describedBy?: string;
  isRequired?: boolean;
  isInvalid?: boolean;
  isDisabled?: boolean;
}

function useChoices({ source, none }: Pick<Props, "source" | "none">, text: string, open: boolean) {
  const asked = useDebounced(text.trim());
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["options", source.key, asked],
    queryFn: () => source.find(asked),
    enabled: open,
    placeholderData: keepPreviousData,
  });
  const empty: Option[] = none !== undefined && text === "" ? [["", none]] : [];
  const waits = asked !== text.trim() || isPlaceholderData || (!data && !error);
  const options = [...empty, ...(data?.options ?? [])];
  const words = error
    ? t`This could not be loaded: ${error.message}`
    : waits
      ? t`Searching…`
      : data.options.length === 0
        ? t`No matches`
        : data.more
          ? t`More matches: refine the search`
          : "";
  return { options, words, waits };
}

export function SearchSelect(props: Props) {
  const { source, value, onChange, none, id, label, describedBy, isRequired, isInvalid, isDisabled = false } = props;
  const client = useQueryClient();
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState<string>();
  /** No option is active until the user types or moves, so that Enter cannot choose by accident. */
  const [active, setActive] = useState(NONE);
  const { data: name, isError } = useQuery({
    queryKey: nameKey(source, value),
    queryFn: () => source.nameOf(value),
    enabled: value !== "",
  });
  const { options, words, waits } = useChoices(props, typed ?? "", open);
  const known = value === "" ? "" : (name ?? (isError ? value : "…"));

  function close() {
    setOpen(false);
    setTyped(undefined);
    setActive(NONE);
  }
  function choose([chosen, text]: Option) {
    if (chosen) client.setQueryData(nameKey(source, chosen), text);
    onChange(chosen);
    close();
    input.current?.focus();
  }
  function keys(event: KeyboardEvent) {
    const chosen = options[active];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      const from = active === NONE && step < 0 ? 0 : active;
      if (open && options.length > 0) setActive((from + step + options.length) % options.length);
      setOpen(true);
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      if (chosen && !waits) choose(chosen);
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      close();
    } else if (event.key === "Tab") close();
  }
  return (
    <Select
      isOpen={open}
      variant="typeahead"
      selected={value}
      onSelect={(_event, chosen) => {
        const option = options.find(([each]) => each === chosen);
        if (option) choose(option);
      }}
      onOpenChange={(on) => !on && close()}
      onOpenChangeKeys={[]}
      isScrollable
      maxMenuHeight="18rem"
      toggle={(ref) => (
        <MenuToggle
          variant="typeahead"
          ref={ref}
          isFullWidth
          isExpanded={open}
          isDisabled={isDisabled}
          aria-label={t`Options of ${label}`}
          {...(isInvalid ? { status: "danger" } : {})}
          onClick={() => {
            if (open) close();
            else setOpen(true);
            input.current?.focus();
          }}
        >
          <TextInputGroup isPlain isDisabled={isDisabled}>
            <TextInputGroupMain
              innerRef={input}
              {...(id ? { inputId: id } : {})}
              role="combobox"
              isExpanded={open}
              aria-controls={list}
              {...(open && options[active] ? { "aria-activedescendant": `${list}-${active}` } : {})}
              value={typed ?? known}
              placeholder={none ?? t`Type to search`}
              onClick={() => !isDisabled && setOpen(true)}
              onChange={(_event, text) => {
                setTyped(text);
                setActive(0);
                setOpen(true);
              }}
              inputProps={{
                "aria-label": id ? undefined : label,
                "aria-describedby": describedBy,
                "aria-required": isRequired,
                "aria-invalid": isInvalid,
                "aria-autocomplete": "list",
                autoComplete: "off",
                spellCheck: false,
                onKeyDown: keys,
              }}
            />
            {none !== undefined && value !== "" && !isDisabled && (
              <TextInputGroupUtilities>
                <Button
                  variant="plain"
                  icon={<TimesIcon />}
                  aria-label={t`Clear ${label}`}
                  onClick={() => choose(["", ""])}
                />
              </TextInputGroupUtilities>
            )}
          </TextInputGroup>
        </MenuToggle>
      )}
    >
      <SelectList id={list} aria-label={label}>
        {options.map(([each, text], index) => (
          <SelectOption key={each} id={`${list}-${index}`} value={each} isFocused={index === active}>
            {text}
          </SelectOption>
        ))}
        {words && (
          <SelectOption key="words" isDisabled>
            {words}
          </SelectOption>
        )}
      </SelectList>
    </Select>
  );
}
