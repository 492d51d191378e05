import { Form, FormSelect, FormSelectOption } from "@patternfly/react-core";
import CalculatorIcon from "@patternfly/react-icons/dist/esm/icons/calculator-icon";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { dimensioning } from "@/api/calls";
import { asProblem, type FieldErrors } from "@/api/problem";
import { q } from "@/api/queries";
import type { Figures, ProblemFieldError, Vnfd } from "@/api/types";
import { Answer } from "@/dimensioning/Answer";
import { FigureTable } from "@/dimensioning/FigureTable";
import { DemandForm, demandId } from "@/forms/dimensioning/DemandForm";
import { demandErrors, demandProblem, emptyDemand, toDimensioning, type DemandDraft } from "@/forms/dimensioning/draft";
import { Field } from "@/forms/settings/Field";
import { pb } from "@/paths";
import { Empty } from "@/ui/Empty";
import { vnfdTitle } from "@/ui/names";
import { Panel } from "@/ui/Panel";
import { ProblemAlert } from "@/ui/Problem";
import { Screen } from "@/ui/Screen";

/** Moves to the first field that is complained about, in the order of the form. */
function focusFirst(figures: Figures, errors: FieldErrors) {
  const order = ["hostType", "frameSize", ...figures.demand.map((each) => each.dimension)];
  const first = order.find((field) => errors[field]);
  if (first) document.getElementById(demandId(first))?.focus();
}

/** The form, the answer, and everything that was measured of the VNF. */
function Question({ vnfd }: { vnfd: Vnfd }) {
  const { data: figures } = useSuspenseQuery(q.figures(vnfd.vnfdId));
  const [draft, setDraft] = useState<DemandDraft>(() => emptyDemand(figures));
  const [errors, setErrors] = useState<FieldErrors>({});
  const [rest, setRest] = useState<ProblemFieldError[]>([]);
  const ask = useMutation({
    mutationFn: () => dimensioning(toDimensioning(vnfd.vnfdId, figures, draft)),
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
  if (figures.demand.length === 0) {
    return (
      <>
        <Empty title="Nothing was measured that says how big it must be" icon={CalculatorIcon}>
          {figures.unknown[0] ?? "The package brings no figures."}
        </Empty>
        {figures.figures.length > 0 && <Measured figures={figures} />}
      </>
    );
  }
  return (
    <>
      <Panel title="Demand">
        <DemandForm {...{ figures, draft, errors }} busy={ask.isPending} onChange={setDraft} onAsk={check} />
      </Panel>
      {ask.isError && <ProblemAlert error={ask.error} rest={rest} />}
      {ask.isSuccess && <Answer vnfd={vnfd} answer={ask.data} />}
      <Measured figures={figures} />
    </>
  );
}

function Measured({ figures }: { figures: Figures }) {
  return (
    <Panel title="All that was measured" count={figures.figures.length}>
      <FigureTable label="All figures" figures={figures.figures} />
      {figures.contradictions.length > 0 && (
        <ul className="vm-sentences" aria-label="Contradictions">
          {figures.contradictions.map((each) => (
            <li key={each.text}>{each.text}</li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

export function Component() {
  const { data: vnfds } = useSuspenseQuery(q.vnfds());
  const [params, setParams] = useSearchParams();
  const vnfd = vnfds.find((each) => each.vnfdId === params.get("vnfd"));
  return (
    <Screen title="Dimensioning" lead="How big must a VNF be? By what test labs measured, and nothing else.">
      {vnfds.length === 0 ? (
        <Empty
          title="The catalog is empty"
          icon={CalculatorIcon}
          action={<Link to={pb.catalog()}>Go to the catalog</Link>}
        >
          Onboard a VNF package first.
        </Empty>
      ) : (
        <div className="vm-stack">
          <Form aria-label="VNF" onSubmit={(event) => event.preventDefault()}>
            <Field id="dimensioning-vnf" label="VNF" help={vnfd?.description}>
              {(aria) => (
                <FormSelect
                  {...aria}
                  value={vnfd?.vnfdId ?? ""}
                  onChange={(_event, id) => setParams(id ? { vnfd: id } : {}, { replace: true })}
                >
                  <FormSelectOption value="" label="Choose…" />
                  {vnfds.map((each) => (
                    <FormSelectOption key={each.vnfdId} value={each.vnfdId} label={vnfdTitle(each)} />
                  ))}
                </FormSelect>
              )}
            </Field>
          </Form>
          {vnfd && <Question key={vnfd.vnfdId} vnfd={vnfd} />}
        </div>
      )}
    </Screen>
  );
}
