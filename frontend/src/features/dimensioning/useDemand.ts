import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { dimensioning } from "@/api/calls";
import { asProblem, type FieldErrors } from "@/api/problem";
import type { Figures, ProblemFieldError } from "@/api/types";
import { demandId } from "./DemandForm";
import { demandErrors, demandProblem, toDimensioning, type DemandDraft } from "./demandDraft";

/** Fields are in the order of the form. */
function focusFirst(figures: Figures, errors: FieldErrors) {
  const order = ["hostType", "frameSize", ...figures.demand.map((each) => each.dimension)];
  const first = order.find((field) => errors[field]);
  if (first) document.getElementById(demandId(first))?.focus();
}

/** The request is sent only if the draft is valid. */
export function useDemand(vnfdId: string, figures: Figures, draft: DemandDraft) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [rest, setRest] = useState<ProblemFieldError[]>([]);
  const ask = useMutation({
    mutationFn: () => dimensioning(toDimensioning(vnfdId, figures, draft)),
    onError: (error) => {
      const sorted = demandProblem(figures, asProblem(error));
      setErrors(sorted.fields);
      setRest(sorted.rest);
      focusFirst(figures, sorted.fields);
    },
  });
  function check() {
    const found = demandErrors(figures, draft);
    setErrors(found);
    if (Object.keys(found).length > 0) focusFirst(figures, found);
    else ask.mutate();
  }
  return { errors, rest, ask, check };
}
