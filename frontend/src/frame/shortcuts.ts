import { t } from "@lingui/core/macro";
import { useEffect, useSyncExternalStore } from "react";
import { useNavigate } from "react-router";
import { pb } from "@/paths";

/** Keys: the letter after `g`. */
export const GO_TO: readonly (readonly [key: string, text: string, to: string])[] = [
  ["o", t`Overview`, pb.overview()],
  ["p", t`Catalog`, pb.catalog()],
  ["i", t`VNF instances`, pb.instances()],
  ["e", t`Elements`, pb.elements()],
  ["t", t`Topology`, pb.topology()],
  ["a", t`Alarms`, pb.alarms()],
  ["c", t`Clouds`, pb.vims()],
  ["f", t`Performance`, pb.performance()],
  ["d", t`Dimensioning`, pb.dimensioning()],
  ["u", t`Automation`, pb.automation()],
  ["n", t`Administration`, pb.administration()],
];

const OFF = "vnfm.shortcuts.off";
const listeners = new Set<() => void>();
const areOn = (): boolean => localStorage.getItem(OFF) === null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
export const useShortcutsOn = (): boolean => useSyncExternalStore(subscribe, areOn);

/** Speech input and tremor trigger keys of one letter by accident, so users can switch them off (WCAG 2.2, 2.1.4). */
export function switchShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, "1");
  listeners.forEach((listener) => listener());
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
export const PALETTE_KEYS: readonly string[] = [isMac ? "⌘" : t`Ctrl`, "K"];

const FIELDS = "input, textarea, select, [contenteditable=true], [role=textbox], [role=combobox]";
const FILTER = "#main-content :is(input[type=search], .pf-v6-c-text-input-group__text-input)";
const ROWS = "#main-content tbody tr";
const ROW_LINK = "th[scope=row] a[href]";
const SECOND_KEY_MS = 1500;

const isTyping = (target: EventTarget | null): boolean => target instanceof Element && target.closest(FIELDS) !== null;
const DIALOG = "[role=dialog]";
const isFieldOfDialog = (target: EventTarget | null): boolean =>
  isTyping(target) && target instanceof Element && target.closest(DIALOG) !== null;
const inDialog = (): boolean => document.querySelector(DIALOG) !== null;

/** Moves the focus to the name in the next or previous row, which Enter opens. Returns whether there is one. */
function toRow(step: number): boolean {
  const links = [...document.querySelectorAll(ROWS)].flatMap((row) => row.querySelector<HTMLElement>(ROW_LINK) ?? []);
  const at = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
  const next = links[at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)];
  next?.focus();
  return next !== undefined;
}

interface ShortcutHandlers {
  openPalette: () => void;
  openHelp: () => void;
  openManual: () => void;
  /** The open palette takes letters while its field has no focus. Undefined: it is closed. */
  typeAhead: ((letter: string) => void) | undefined;
}

/** Shortcuts without Ctrl or ⌘ do nothing while the user types and in dialogs. */
export function useShortcuts({ openPalette, openHelp, openManual, typeAhead }: ShortcutHandlers): void {
  const navigate = useNavigate();
  useEffect(() => {
    let goUntil = 0;
    const letter = (event: KeyboardEvent): boolean => {
      const place = Date.now() < goUntil ? GO_TO.find(([key]) => key === event.key) : undefined;
      goUntil = event.key === "g" ? Date.now() + SECOND_KEY_MS : 0;
      if (place) void navigate(place[2]);
      else if (event.key === "?") openHelp();
      else if (event.key === "h") openManual();
      else if (event.key === "/") document.querySelector<HTMLInputElement>(FILTER)?.focus();
      else if (event.key === "j" || event.key === "k") return toRow(event.key === "j" ? 1 : -1);
      else return false;
      return true;
    };
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const plain = !event.metaKey && !event.ctrlKey && !event.altKey;
      if (typeAhead && plain && event.key.length === 1 && !isFieldOfDialog(event.target)) {
        event.preventDefault();
        typeAhead(event.key);
        return;
      }
      if (inDialog() || typeAhead) return;
      if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openPalette();
        return;
      }
      if (plain && areOn() && !isTyping(event.target) && letter(event)) event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [navigate, openPalette, openHelp, openManual, typeAhead]);
}
