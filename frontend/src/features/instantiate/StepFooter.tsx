import { Trans } from "@lingui/react/macro";
import { Button, useWizardContext, WizardFooterWrapper } from "@patternfly/react-core";
import { useEffect, type ReactNode } from "react";
import type { Vnfd } from "@/api/types";
import { ExplainedButton } from "@/ui/ActionButton";
import { draftErrors, firstError, type Change, type Draft } from "./draft";
import { fieldId } from "@/features/settings/settingFields";

/** Takes the user to the field that the draft names, once the step that shows it is drawn. */
export function useFieldFocus(draft: Draft): void {
  const { focus } = draft;
  useEffect(() => {
    if (!focus) return;
    const input = document.getElementById(fieldId(focus.field));
    input?.focus();
    input?.scrollIntoView({ block: "center" });
  }, [focus]);
}

interface Check {
  vnfd: Vnfd;
  draft: Draft;
  change: (change: Change) => void;
}
interface Props {
  /** Why Next is off; undefined when it is not. */
  whyNot?: string | undefined;
  /** Looks over the settings before it lets go of them. */
  check?: Check | undefined;
  /** More that can be done here. */
  children?: ReactNode;
}

export function StepFooter({ whyNot, check, children }: Props) {
  const { steps, activeStep, goToNextStep, goToPrevStep, close } = useWizardContext();
  const atStart = steps.every((step) => step.index >= activeStep.index || step.isDisabled);
  function next() {
    if (check) {
      const errors = draftErrors(check.vnfd, check.draft);
      const first = firstError(check.vnfd, errors);
      check.change({ type: "errors", errors, focus: first?.field });
      if (first) return;
    }
    void goToNextStep();
  }
  return (
    <WizardFooterWrapper>
      <Button variant="secondary" onClick={() => void goToPrevStep()} isDisabled={atStart}>
        <Trans>Back</Trans>
      </Button>
      <ExplainedButton whyNot={whyNot} onClick={next}>
        <Trans>Next</Trans>
      </ExplainedButton>
      <Button variant="link" onClick={close}>
        <Trans>Cancel</Trans>
      </Button>
      {children}
    </WizardFooterWrapper>
  );
}

/** The plan step owns its buttons (they depend on the plan), so the wizard's own footer is empty there. */
export function PlanFooter() {
  return <span hidden />;
}
