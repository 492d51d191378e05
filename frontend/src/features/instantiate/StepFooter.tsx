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
  /** The same for a way right to the plan, past all that has a default. */
  toPlan?: Check | undefined;
  /** More that can be done here. */
  children?: ReactNode;
}

/** The first complaint of the settings, which gets the focus; nothing when all is well. */
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

/** The plan step owns its buttons (they depend on the plan), so the wizard's own footer is empty there. */
export function PlanFooter() {
  return <span hidden />;
}
