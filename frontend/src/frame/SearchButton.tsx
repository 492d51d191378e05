import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import KeyboardIcon from "@patternfly/react-icons/dist/esm/icons/keyboard-icon";
import QuestionCircleIcon from "@patternfly/react-icons/dist/esm/icons/question-circle-icon";
import SearchIcon from "@patternfly/react-icons/dist/esm/icons/search-icon";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { KeyCaps } from "./KeyCaps";
import { PALETTE_KEYS, useShortcuts } from "./shortcuts";

const Palette = lazy(() => import("./Palette"));
const ShortcutSheet = lazy(() => import("./ShortcutSheet"));
const Manual = lazy(() => import("@/features/manual/Manual"));
type Open = "palette" | "help" | "manual" | undefined;

/** The focus returns to where it was, unless the palette opened a page that has taken it. */
function useFocusBack(open: Open) {
  const before = useRef<Element | null>(null);
  useEffect(() => {
    if (open !== undefined) return;
    const lost = document.activeElement === document.body || document.activeElement === null;
    if (lost && before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
  }, [open]);
  return () => {
    before.current = document.activeElement;
  };
}

export function SearchButton() {
  const [open, setOpen] = useState<Open>();
  const [typed, setTyped] = useState("");
  const { pathname } = useLocation();
  const keepFocus = useFocusBack(open);
  const enter = (door: Open) => {
    keepFocus();
    setTyped("");
    setOpen(door);
  };
  const latest = useRef(enter);
  useEffect(() => {
    latest.current = enter;
  });
  const typeAhead = useCallback((letter: string) => setTyped((before) => before + letter), []);
  useShortcuts({
    openPalette: useCallback(() => latest.current("palette"), []),
    openHelp: useCallback(() => latest.current("help"), []),
    openManual: useCallback(() => latest.current("manual"), []),
    // The palette is loaded when it is first opened; letters that are typed until then must neither be lost nor be taken
    // for shortcuts.
    typeAhead: open === "palette" ? typeAhead : undefined,
  });
  const close = useCallback(() => setOpen(undefined), []);
  return (
    <>
      <Button
        variant="control"
        className="vm-search-button"
        icon={<SearchIcon />}
        aria-label={t`Search and commands`}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => enter("palette")}
      >
        <span className="vm-search-words">
          <Trans>
            Search{" "}
            <span aria-hidden="true">
              <KeyCaps keys={PALETTE_KEYS} />
            </span>
          </Trans>
        </span>
      </Button>
      <Button
        variant="plain"
        className="vm-keys-button"
        icon={<KeyboardIcon />}
        aria-label={t`Keyboard shortcuts`}
        aria-haspopup="dialog"
        title={t`Keyboard shortcuts`}
        onClick={() => enter("help")}
      >
        <span className="vm-tool-word">
          <Trans>Keys</Trans>
        </span>
      </Button>
      <Button
        variant="plain"
        icon={<QuestionCircleIcon />}
        aria-label={t`Help for this page`}
        aria-haspopup="dialog"
        aria-keyshortcuts="h"
        title={t`Help for this page`}
        onClick={() => enter("manual")}
      >
        <span className="vm-tool-word">
          <Trans>Help</Trans>
        </span>
      </Button>
      <Suspense>
        {open === "palette" && <Palette typed={typed} onType={setTyped} onClose={close} />}
        {open === "manual" && <Manual pathname={pathname} onClose={close} />}
        {open === "help" && <ShortcutSheet onClose={close} />}
      </Suspense>
    </>
  );
}
