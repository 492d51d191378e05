import { Wizard, WizardStep } from "@patternfly/react-core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useReducer } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { keys, q } from "@/api/queries";
import { draftOf, reduce } from "@/forms/instantiate/draft";
import { PlanFooter, StepFooter } from "@/forms/instantiate/footers";
import { PlanPane } from "@/forms/instantiate/PlanPane";
import { SettingsStep } from "@/forms/instantiate/SettingsStep";
import { CloudStep, VnfStep } from "@/forms/instantiate/steps";
import { pb } from "@/paths";
import { vnfdTitle } from "@/ui/names";
import { Screen } from "@/ui/Screen";

/** The wizard's choices, begun from the address: a VNF of the catalog, or an instance that waits to be instantiated. */
function useDraft() {
  const [params] = useSearchParams();
  const vnfdId = params.get("vnfd") ?? undefined;
  const vnfInstanceId = params.get("instance") ?? undefined;
  const [draft, change] = useReducer(reduce, params, draftOf);
  const { data: instance } = useQuery({
    ...q.vnfInstance(vnfInstanceId ?? ""),
    enabled: vnfInstanceId !== undefined,
  });
  useEffect(() => {
    if (!instance) return;
    const { id, vnfdId: itsVnfd, name, description } = instance;
    change({ type: "instance", vnfInstanceId: id, vnfdId: itsVnfd, name, description });
  }, [instance]);
  return { draft, change, chosen: Boolean(vnfdId ?? vnfInstanceId), fixed: vnfInstanceId !== undefined };
}

export function Component() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { draft, change, chosen, fixed } = useDraft();
  const { data: vnfd } = useQuery({ ...q.vnfd(draft.vnfdId ?? ""), enabled: Boolean(draft.vnfdId) });
  const step = { draft, change };

  function created(vnfInstanceId: string) {
    void client.invalidateQueries({ queryKey: keys.vnfInstances });
    void client.invalidateQueries({ queryKey: keys.opOccs });
    void navigate(pb.instance(vnfInstanceId));
  }

  return (
    <Screen
      title="Instantiate a VNF"
      crumbs={[{ text: "VNF instances", to: pb.instances() }]}
      lead={vnfd ? vnfdTitle(vnfd) : "Choose, check, see the plan, deploy."}
    >
      <Wizard
        navAriaLabel="Steps"
        aria-label="Instantiate a VNF"
        className="vm-wizard"
        isVisitRequired
        shouldFocusContent
        startIndex={chosen ? 2 : 1}
        onStepChange={() => document.querySelector(".vm-wizard .pf-v6-c-wizard__main")?.scrollTo(0, 0)}
        onClose={() => void navigate(-1)}
      >
        <WizardStep
          id="vnf"
          name="VNF"
          isDisabled={fixed}
          footer={<StepFooter ready={vnfd !== undefined} why="Choose a VNF first" />}
        >
          <VnfStep {...step} />
        </WizardStep>
        <WizardStep
          id="cloud"
          name="Cloud"
          status={draft.errors["vimId"] ? "error" : "default"}
          footer={<StepFooter ready={Boolean(draft.vimId)} why="Choose a cloud first" />}
        >
          <CloudStep {...step} />
        </WizardStep>
        <WizardStep
          id="settings"
          name="Settings"
          isDisabled={!vnfd || !draft.vimId}
          status={Object.keys(draft.errors).some((field) => field !== "vimId") ? "error" : "default"}
          footer={<StepFooter ready={vnfd !== undefined} why="" check={vnfd && { vnfd, draft, change }} />}
        >
          {vnfd && <SettingsStep vnfd={vnfd} {...step} />}
        </WizardStep>
        <WizardStep id="plan" name="Plan" isDisabled={!vnfd || !draft.vimId} footer={<PlanFooter />}>
          {vnfd && <PlanPane vnfd={vnfd} {...step} onCreated={created} />}
        </WizardStep>
      </Wizard>
    </Screen>
  );
}
