import { useWizardContext } from "@patternfly/react-core";
import { useEffect, useRef } from "react";

interface Props {
  asked: string | null;
  /** The first step replaces an address without one. */
  onShown: (step: string, replace: boolean) => void;
}

/** The browser's Back goes one step back. */
export function StepInUrl({ asked, onShown }: Props) {
  const { activeStep, goToStepById, mainWrapperRef } = useWizardContext();
  const shown = String(activeStep.id);
  const obeyed = useRef(asked);
  useEffect(() => {
    if (shown !== asked) onShown(shown, asked === null);
    // Runs when another step is shown.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [shown]);
  useEffect(() => {
    if (obeyed.current === asked) return;
    obeyed.current = asked;
    if (asked === null || asked === shown) return;
    goToStepById(asked);
    mainWrapperRef.current?.focus();
    // Runs when the address names another step.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [asked]);
  return null;
}
