import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, useWizardContext } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useId, useMemo } from "react";
import { vnfInstanceCreate, vnfInstanceDelete, vnfInstanceInstantiate } from "@/api/calls";
import { asProblem } from "@/api/problem";
import type { InstantiateRequest, ProblemDetails, Vnfd } from "@/api/types";
import { SummaryAtButton } from "@/features/plans/SummaryAtButton";
import { usePlan } from "@/features/plans/usePlan";
import { firstError, problemFields, toRequest, type Draft } from "./draft";
import { PlanStep } from "./PlanStep";
import { SaveSettings } from "./SaveEnvironment";
import type { StepProps } from "./VnfAndCloudSteps";

/** Creates the instance and starts the operation. If the start is refused the instance is deleted again. */
async function deploy(vnfd: Vnfd, draft: Draft, request: InstantiateRequest): Promise<string> {
  if (draft.vnfInstanceId) {
    await vnfInstanceInstantiate(draft.vnfInstanceId, request);
    return draft.vnfInstanceId;
  }
  const description = draft.description.trim();
  const { id } = await vnfInstanceCreate({
    vnfdId: vnfd.vnfdId,
    vnfInstanceName: draft.name.trim(),
    ...(description ? { vnfInstanceDescription: description } : {}),
  });
  try {
    await vnfInstanceInstantiate(id, request);
  } catch (error) {
    await vnfInstanceDelete(id).catch(() => undefined); // The user must see the refusal and not a failed deletion.
    throw error;
  }
  return id;
}

interface Props extends StepProps {
  vnfd: Vnfd;
  onCreated: (vnfInstanceId: string) => void;
}

export function PlanPane({ vnfd, draft, change, onCreated }: Props) {
  const { goToStepById, goToPrevStep, close } = useWizardContext();
  const request = useMemo(() => toRequest(vnfd, draft), [vnfd, draft]);
  const input = useMemo(
    () => ({ operation: "INSTANTIATE" as const, vnfdId: vnfd.vnfdId, request }),
    [vnfd.vnfdId, request],
  );
  const planning = usePlan(input);
  const create = useMutation({ mutationFn: () => deploy(vnfd, draft, request), onSuccess: onCreated });

  /** Opens the step of the first field with an error; returns whether there is one. */
  function bringBack(problem: ProblemDetails | null | undefined) {
    const { fields } = problemFields(vnfd, problem);
    const first = firstError(vnfd, fields);
    if (!first) return;
    change({ type: "errors", errors: fields, focus: first.field });
    goToStepById(first.step);
  }
  const { plan, error } = planning;
  useEffect(() => {
    if (error) bringBack(asProblem(error));
    else if (plan) bringBack(plan.problem);
    // This runs once per answer and not at each render.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [plan?.id, plan?.state, error]);

  const summaryId = useId();
  const ready = plan?.state === "READY";
  return (
    <>
      <PlanStep planning={planning} submitError={create.error} settings={vnfd.settings} />
      <div className="vm-plan-buttons">
        <Button variant="secondary" onClick={() => void goToPrevStep()} isDisabled={create.isPending}>
          <Trans>Back</Trans>
        </Button>
        <Button
          isDisabled={!ready || create.isPending}
          isLoading={create.isPending}
          aria-describedby={summaryId}
          onClick={() => create.mutate(undefined, { onError: (failure) => bringBack(asProblem(failure)) })}
        >
          {draft.vnfInstanceId ? t`Deploy` : t`Create and deploy`}
        </Button>
        <Button variant="link" onClick={close} isDisabled={create.isPending}>
          <Trans>Cancel</Trans>
        </Button>
        <SaveSettings vnfd={vnfd} draft={draft} change={change} />
        {ready && <SummaryAtButton id={summaryId} summary={plan.result?.summary} />}
      </div>
    </>
  );
}
