import { useWizardContext } from "@patternfly/react-core";
import { useEffect, useRef } from "react";

interface Props {
  /** The step that the address asks for. */
  asked: string | null;
  /** Puts the step that is shown into the address; the first one in the place of an address without one. */
  onShown: (step: string, replace: boolean) => void;
}

/** Keeps the wizard's step and the address the same: the browser's Back goes a step back. */
export function StepInUrl({ asked, onShown }: Props) {
  const { activeStep, goToStepById, mainWrapperRef } = useWizardContext();
  const shown = String(activeStep.id);
  const obeyed = useRef(asked);
  useEffect(() => {
    if (shown !== asked) onShown(shown, asked === null);
    // When another step is shown.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [shown]);
  useEffect(() => {
    if (obeyed.current === asked) return;
    obeyed.current = asked;
    if (asked === null || asked === shown) return;
    goToStepById(asked);
    mainWrapperRef.current?.focus();
    // When the address asks for another step.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [asked]);
  return null;
}
