import { Trans } from "@lingui/react/macro";
import { Button, useWizardContext, WizardFooterWrapper } from "@patternfly/react-core";
import { useEffect, type ReactNode } from "react";
import type { Vnfd } from "@/api/types";
import { ExplainedButton } from "@/ui/ActionButton";
import { draftErrors, firstError, type Change, type Draft } from "./draft";
import { fieldId } from "@/features/settings/settingFields";

/** The focus moves once the step with the field is rendered. */
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
  /** Undefined when Next is enabled. */
  whyNot?: string | undefined;
  /** Checks the settings before the user leaves the step. */
  check?: Check | undefined;
  /** Checks for the direct way to the plan, which skips steps with defaults. */
  toPlan?: Check | undefined;
  children?: ReactNode;
}

/** Moves the focus to the first error; undefined if there is none. */
function firstFault({ vnfd, draft, change }: Check): { step: string } | undefined {
  const errors = draftErrors(vnfd, draft);
  const first = firstError(vnfd, errors);
  change({ type: "errors", errors, focus: first?.field });
  return first;
}

export function StepFooter({ whyNot, check, toPlan, children }: Props) {
  const { steps, activeStep, goToNextStep, goToPrevStep, goToStepById, close } = useWizardContext();
  const atStart = steps.every((step) => step.index >= activeStep.index || step.isDisabled);
  function next() {
    if (check && firstFault(check)) return;
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
      {toPlan && (
        <ExplainedButton
          variant="secondary"
          whyNot={whyNot}
          onClick={() => goToStepById(firstFault(toPlan)?.step ?? "plan")}
        >
          <Trans>Skip to plan</Trans>
        </ExplainedButton>
      )}
      <Button variant="link" onClick={close}>
        <Trans>Cancel</Trans>
      </Button>
      {children}
      {whyNot && <span className="vm-quiet">{whyNot}</span>}
    </WizardFooterWrapper>
  );
}

/** The buttons of the plan step depend on the plan, so the wizard's own footer is empty there. */
export function PlanFooter() {
  return <span hidden />;
}
