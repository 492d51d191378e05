import { t } from "@lingui/core/macro";
import { Wizard, WizardStep } from "@patternfly/react-core";
import { useIsMutating, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearchParams } from "react-router";
import { keys } from "@/api/keys";
import { STEPS, stepOf, type StepId } from "@/features/instantiate/draft";
import { PlanFooter, StepFooter } from "@/features/instantiate/StepFooter";
import { clearDraft } from "@/features/instantiate/draftStorage";
import { PlanPane } from "@/features/instantiate/PlanPane";
import { SaveSettings } from "@/features/instantiate/SaveEnvironment";
import { SettingsStep } from "@/features/instantiate/SettingsStep";
import { SizeStep } from "@/features/instantiate/SizeStep";
import { PREFILL_KEY } from "@/features/instantiate/prefill";
import { StartFrom } from "@/features/instantiate/StartFrom";
import { StepInUrl } from "@/features/instantiate/StepInUrl";
import { CloudStep, VnfStep } from "@/features/instantiate/VnfAndCloudSteps";
import { useDraft, withoutStep } from "@/features/instantiate/useDraft";
import { pb } from "@/paths";
import { vnfdTitle } from "@/ui/names";
import { Screen } from "@/ui/Screen";

function Instantiate() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { draft, change, vnfd, fixed, naming, first, asked, origin, show } = useDraft();
  const step = { draft, change };
  const save = vnfd && <SaveSettings vnfd={vnfd} {...step} />;
  const beginning = useIsMutating({ mutationKey: [PREFILL_KEY, draft.vnfdId] }) > 0 || (vnfd !== undefined && naming);
  const unready = !vnfd || !draft.vimId || beginning;
  const all = vnfd && { vnfd, ...step };
  const noCloud = draft.vimId ? undefined : t`Choose a cloud first`;
  const statusOf = (id: StepId) =>
    Object.keys(draft.errors).some((field) => stepOf(field) === id) ? ("error" as const) : ("default" as const);

  function created(vnfInstanceId: string) {
    clearDraft();
    void client.invalidateQueries({ queryKey: keys.vnfInstances });
    void client.invalidateQueries({ queryKey: keys.opOccs });
    void navigate(pb.instance(vnfInstanceId));
  }
  function cancelled() {
    clearDraft();
    const of = draft.vnfInstanceId ?? (origin?.kind === "instance" ? origin.id : undefined);
    void navigate(of ? pb.instance(of) : pb.instances());
  }

  return (
    <Screen
      title={t`Instantiate a VNF`}
      crumbs={[{ text: t`VNF instances`, to: pb.instances() }]}
      lead={vnfd && vnfdTitle(vnfd)}
    >
      <Wizard
        navAriaLabel={t`Steps`}
        aria-label={t`Instantiate a VNF`}
        className="vm-wizard"
        isVisitRequired
        shouldFocusContent
        startIndex={STEPS.indexOf(first) + 1}
        header={<StepInUrl asked={asked} onShown={show} />}
        onStepChange={() => document.querySelector(".vm-wizard .pf-v6-c-wizard__main")?.scrollTo(0, 0)}
        onClose={cancelled}
      >
        <WizardStep
          id="vnf"
          name="VNF"
          isDisabled={fixed}
          footer={<StepFooter whyNot={vnfd ? undefined : t`Choose a VNF first`} />}
        >
          <VnfStep {...step} />
        </WizardStep>
        <WizardStep
          id="cloud"
          name={t`Cloud`}
          status={statusOf("cloud")}
          footer={
            <StepFooter whyNot={beginning ? t`The initial settings are still being loaded` : noCloud} toPlan={all} />
          }
        >
          <CloudStep {...step}>
            {vnfd && <StartFrom key={vnfd.vnfdId} vnfd={vnfd} asked={origin} {...step} />}
          </CloudStep>
        </WizardStep>
        <WizardStep
          id="settings"
          name={t`Settings`}
          isDisabled={unready}
          status={statusOf("settings")}
          footer={
            <StepFooter check={all} toPlan={all}>
              {save}
            </StepFooter>
          }
        >
          {vnfd && <SettingsStep vnfd={vnfd} {...step} />}
        </WizardStep>
        <WizardStep
          id="size"
          name={t`Size`}
          isDisabled={unready}
          status={statusOf("size")}
          footer={<StepFooter>{save}</StepFooter>}
        >
          {vnfd && <SizeStep vnfd={vnfd} {...step} />}
        </WizardStep>
        <WizardStep id="plan" name={t`Plan`} isDisabled={unready} footer={<PlanFooter />}>
          {vnfd && <PlanPane vnfd={vnfd} {...step} onCreated={created} />}
        </WizardStep>
      </Wizard>
    </Screen>
  );
}

/** Another address starts a new wizard; another step does not. */
function InstantiatePage() {
  const [params] = useSearchParams();
  return <Instantiate key={withoutStep(params)} />;
}

export { InstantiatePage as Component };
