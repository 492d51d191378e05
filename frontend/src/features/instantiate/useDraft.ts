import { useQuery } from "@tanstack/react-query";
import { useEffect, useReducer } from "react";
import { useSearchParams } from "react-router";
import { q } from "@/api/queries";
import { draftOf, proposedName, reduce, STEPS, type Draft, type StepId } from "./draft";
import { storeDraft, loadDraft } from "./draftStorage";
import type { Origin } from "./prefill";

const STEP = "step";

/** The first incomplete step, or an earlier one that the address names. */
function firstStep(draft: Draft, asked: string | null, fixed: boolean): StepId {
  const missing: StepId = !draft.vnfdId && !fixed ? "vnf" : "cloud";
  const found = STEPS.find((step) => step === asked);
  if (!found) return missing;
  const may = missing === "cloud" && draft.vimId ? "plan" : missing;
  return STEPS.indexOf(found) <= STEPS.indexOf(may) ? found : may;
}

/** The rest of the address identifies the wizard. */
export function withoutStep(params: URLSearchParams): string {
  const plain = new URLSearchParams(params);
  plain.delete(STEP);
  return plain.toString();
}

function originOf(params: URLSearchParams): Origin | undefined {
  const [environment, copy, attempt] = ["environment", "copy", "attempt"].map((name) => params.get(name));
  if (environment) return { kind: "environment", id: environment };
  if (copy) return { kind: "instance", id: copy };
  const instance = attempt ?? params.get("instance");
  return instance ? { kind: "attempt", id: instance } : undefined;
}

interface WizardStart {
  draft: Draft;
  step: StepId;
}

/** A stored draft belongs to exactly this address. */
function begin(params: URLSearchParams, of: string): WizardStart {
  const asked = params.get(STEP);
  const draft = (asked === null ? undefined : loadDraft(of)) ?? draftOf(params);
  return { draft, step: firstStep(draft, asked, params.has("instance")) };
}

/** The address names a VNF of the catalog, or an instance to instantiate. */
export function useDraft() {
  const [params, setParams] = useSearchParams();
  const { data: session } = useQuery(q.session());
  const of = `${session?.username ?? ""} ${withoutStep(params)}`;
  const [state, change] = useReducer(
    (before: WizardStart, action: Parameters<typeof reduce>[1]) => ({ ...before, draft: reduce(before.draft, action) }),
    undefined,
    () => begin(params, of),
  );
  const { draft, step } = state;
  const vnfInstanceId = params.get("instance") ?? undefined;
  const { data: instance } = useQuery({ ...q.vnfInstance(vnfInstanceId ?? ""), enabled: vnfInstanceId !== undefined });
  const { data: vnfd } = useQuery({ ...q.vnfd(draft.vnfdId ?? ""), enabled: Boolean(draft.vnfdId) });
  const { data: vims } = useQuery(q.vims());
  const onlyVim = vims?.length === 1 ? vims[0]?.id : undefined;
  useEffect(() => {
    if (onlyVim && !draft.vimId) change({ type: "vim", vimId: onlyVim });
  }, [onlyVim, draft.vimId]);
  const { data: instances, isError } = useQuery(q.vnfInstances());
  const unnamed = vnfInstanceId === undefined && draft.name === "" && draft.proposedName === "";
  useEffect(() => {
    if (!unnamed || !vnfd || !instances) return;
    change({
      type: "proposal",
      name: proposedName(
        vnfd,
        instances.map(({ name }) => name),
      ),
    });
  }, [unnamed, vnfd, instances]);
  useEffect(() => {
    if (!instance) return;
    const { id, vnfdId: itsVnfd, name, description } = instance;
    change({ type: "instance", vnfInstanceId: id, vnfdId: itsVnfd, name, description });
  }, [instance]);
  useEffect(() => storeDraft(of, draft, vnfd), [of, draft, vnfd]);
  return {
    ...{ draft, change, vnfd, fixed: vnfInstanceId !== undefined },
    /** A free name is not yet known. */
    naming: unnamed && !isError,
    /** The initial step. */
    first: step,
    asked: params.get(STEP),
    origin: originOf(params),
    show: (shown: string, replace: boolean) =>
      setParams(
        (before) => {
          before.set(STEP, shown);
          return before;
        },
        { replace, preventScrollReset: true },
      ),
  };
}
