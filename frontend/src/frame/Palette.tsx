import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Modal, ModalBody } from "@patternfly/react-core";
import SearchIcon from "@patternfly/react-icons/dist/esm/icons/search-icon";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useMemo, useState, type FocusEvent } from "react";
import { useNavigate } from "react-router";
import { frameQueries, SHORTEST } from "@/api/frame";
import { q } from "@/api/queries";
import { ProblemAlert } from "@/ui/Problem";
import { lookOf, SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { useDebounced } from "@/ui/useDebounced";
import { useDisabledReason } from "@/ui/rights";
import { commandOf } from "./paletteVerbs";
import { actionsOf, sectionsOf, type Choice } from "./searchResults";
import { KeyCaps } from "./KeyCaps";
import { useRecent } from "./recent";

const STILL_MS = 150;

interface LineProps {
  choice: Choice;
  id: string;
  active: boolean;
  whyNot: string | undefined;
  onChoose: () => void;
}

function Line({ choice, id, active, whyNot, onChoose }: LineProps) {
  return (
    // The input handles the keyboard and names the active option (ARIA combobox pattern).
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="option"
      id={id}
      aria-selected={active}
      aria-disabled={whyNot !== undefined}
      tabIndex={-1}
      className="vm-hit"
      onClick={onChoose}
    >
      <span className="vm-choice-text">{choice.text}</span>
      {choice.severity && <StateLabel look={lookOf(SEVERITY, choice.severity)} />}
      {choice.detail && <span className="vm-quiet">{choice.detail}</span>}
      {choice.matched && <code className="vm-quiet">{choice.matched}</code>}
      {whyNot && <span className="vm-quiet">{whyNot}</span>}
    </div>
  );
}

/** A text that became too short shows no results of the longer one. */
function useSearchResults(text: string) {
  const settled = useDebounced(text, STILL_MS);
  const { data, error, isError, isFetching } = useQuery(frameQueries.search(settled));
  const long = text.length >= SHORTEST;
  const groups = useMemo(() => (long && !isError ? (data?.groups ?? []) : []), [long, isError, data]);
  return { groups, error, failed: long && isError, searching: long && (isFetching || settled !== text) };
}

/** "heal pe-1" offers to heal each object whose name contains "pe-1". */
function useActions(text: string) {
  const settled = useDebounced(text, STILL_MS);
  const command = useMemo(() => commandOf(settled), [settled]);
  const object = command?.object ?? "";
  const found = useQuery(frameQueries.search(object));
  const { data: vnfds } = useQuery({
    ...q.vnfds(),
    enabled: command?.verbs.some(({ kind }) => kind === "PACKAGE") ?? false,
  });
  const isAsked = object.length >= SHORTEST;
  const actions = useMemo(
    () => (command && isAsked && found.data ? actionsOf(command, found.data.groups, vnfds ?? []) : []),
    [command, isAsked, found.data, vnfds],
  );
  return { actions, finding: isAsked && (found.isFetching || settled !== text) };
}

/**
 * The first line is active until the user moves; then the same choice stays active when others are inserted before
 * it.
 */
function useActive(choices: readonly Choice[], text: string) {
  const [at, setAt] = useState({ key: "", text });
  const found = choices.findIndex(({ key }) => at.text === text && key === at.key);
  const index = Math.max(0, found);
  const move = (step: number) =>
    setAt({ key: choices[(index + step + choices.length) % choices.length]?.key ?? "", text });
  return { index, move };
}

function resultCountText(text: string, searching: boolean, failed: boolean, found: number): string {
  if (failed) return t`The search failed.`;
  if (text.length < SHORTEST) return text === "" ? "" : t`Type at least ${SHORTEST} characters.`;
  if (searching) return t`Searching …`;
  return found === 0 ? t`No results for “${text}”.` : "";
}

/**
 * The dialog selects the text of its first field after the focus, but this text was typed before the dialog opened.
 */
function goToEndNext({ currentTarget: field }: FocusEvent<HTMLInputElement>) {
  queueMicrotask(() => field.setSelectionRange(field.value.length, field.value.length));
}

interface Props {
  typed: string;
  onType: (text: string) => void;
  onClose: () => void;
}

/** The list is a combobox of the ARIA Authoring Practices. */
export default function Palette({ typed, onType, onClose }: Props) {
  const id = useId();
  const navigate = useNavigate();
  const text = typed.trim().replace(/\s+/g, " ");
  const { data: session } = useQuery(q.session());
  const [recent, remember] = useRecent(session?.username ?? "");
  const { groups, error, failed, searching } = useSearchResults(text);
  const { actions, finding } = useActions(text);
  const whyNot = useDisabledReason();
  const sections = useMemo(() => sectionsOf(text, groups, recent, actions), [text, groups, recent, actions]);
  const choices = sections.flatMap((section) => section.choices);
  const { index, move } = useActive(choices, text);
  // The id has the position and not the name: a name may contain spaces, which separate ids in ARIA attributes.
  const optionId = (choice: Choice) => `${id}-${choices.indexOf(choice)}`;
  const active = choices[index];
  const activeId = active && optionId(active);

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId, active?.key]);

  function choose({ text: name, detail, to, kind, fill, changes }: Choice) {
    if (fill !== undefined) {
      onType(fill);
      document.getElementById(id)?.focus();
      return;
    }
    if (changes && whyNot !== undefined) return;
    remember({ text: name, detail, to, kind });
    onClose();
    void navigate(to);
  }
  function press(event: React.KeyboardEvent) {
    const steps: Record<string, () => void> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: () => active && (!(searching || finding) || active.kind === "COMMAND") && choose(active),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  }
  const status = resultCountText(text, searching || finding, failed, choices.length);
  return (
    <Modal
      isOpen
      variant="medium"
      position="top"
      onClose={onClose}
      aria-label={t`Search and commands`}
      className="vm-palette"
      elementToFocus={`[id="${id}"]`}
    >
      <ModalBody>
        <div className="vm-palette-field">
          <SearchIcon />
          <input
            id={id}
            type="text"
            role="combobox"
            aria-label={t`Search`}
            aria-expanded={choices.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={activeId}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            placeholder={t`Name, address, alarm, or “heal pe-1”`}
            value={typed}
            onChange={(event) => onType(event.target.value)}
            onFocus={goToEndNext}
            onKeyDown={press}
          />
        </div>
        <p role="status" className="vm-palette-status vm-quiet">
          {status}
        </p>
        {failed && <ProblemAlert error={error} level="h2" />}
        <div role="listbox" id={`${id}-list`} aria-label={t`Found`} className="vm-choices" tabIndex={-1}>
          {sections.map((section) => (
            <div key={section.title} role="group" aria-label={section.title}>
              <div className="vm-choice-title" aria-hidden="true">
                {section.title}
                {section.unlisted && (
                  <span className="vm-quiet">
                    {" "}
                    <Trans>· more matches: refine the search</Trans>
                  </span>
                )}
              </div>
              {section.choices.map((choice) => (
                <Line
                  key={choice.key}
                  choice={choice}
                  id={optionId(choice)}
                  active={choice === active}
                  whyNot={choice.changes ? whyNot : undefined}
                  onChoose={() => choose(choice)}
                />
              ))}
            </div>
          ))}
        </div>
        <p className="vm-palette-hint vm-quiet" aria-hidden="true">
          <Trans>
            <KeyCaps keys={["↑", "↓"]} /> choose <KeyCaps keys={[t`Enter`]} /> open <KeyCaps keys={[t`Esc`]} /> close
          </Trans>
        </p>
      </ModalBody>
    </Modal>
  );
}
