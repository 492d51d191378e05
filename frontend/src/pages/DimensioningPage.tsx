import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ExpandableSection, Form, FormSelect, FormSelectOption } from "@patternfly/react-core";
import CalculatorIcon from "@patternfly/react-icons/dist/esm/icons/calculator-icon";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { q } from "@/api/queries";
import type { Figures, Vnfd } from "@/api/types";
import { Answer } from "@/features/dimensioning/Answer";
import { FigureTable } from "@/features/dimensioning/FigureTable";
import { useDemand } from "@/features/dimensioning/useDemand";
import { DemandForm } from "@/features/dimensioning/DemandForm";
import { emptyDemand, type DemandDraft } from "@/features/dimensioning/demandDraft";
import { Field } from "@/ui/Field";
import { pb } from "@/paths";
import { Empty } from "@/ui/Empty";
import { vnfdTitle } from "@/ui/names";
import { Panel } from "@/ui/Panel";
import { ProblemAlert } from "@/ui/Problem";
import { Screen } from "@/ui/Screen";

function Question({ vnfd }: { vnfd: Vnfd }) {
  const { data: figures } = useSuspenseQuery(q.figures(vnfd.vnfdId));
  const [draft, setDraft] = useState<DemandDraft>(() => emptyDemand(figures));
  const { errors, rest, ask, check } = useDemand(vnfd.vnfdId, figures, draft);
  if (figures.demand.length === 0) {
    return (
      <>
        <Empty title={t`No measurements for dimensioning`} icon={CalculatorIcon}>
          {figures.unknown[0] ?? t`The package contains no figures.`}
        </Empty>
        {figures.figures.length > 0 && <Measured figures={figures} />}
      </>
    );
  }
  return (
    <>
      <Panel title={t`Sizing`}>
        <DemandForm {...{ figures, draft, errors }} busy={ask.isPending} onChange={setDraft} onAsk={check} />
      </Panel>
      {ask.isError && <ProblemAlert error={ask.error} rest={rest} />}
      {ask.isSuccess && <Answer vnfd={vnfd} answer={ask.data} />}
      <Measured figures={figures} />
    </>
  );
}

/** Measured physical routers serve as a comparison. */
function References() {
  const { data } = useSuspenseQuery(q.referenceFigures());
  return (
    <>
      <Empty title={t`No VNF chosen`} icon={CalculatorIcon}>
        <Trans>Choose a VNF to size it.</Trans>
      </Empty>
      <ExpandableSection toggleText={t`Physical routers, to compare`} isIndented>
        {data.map((each) => (
          <Measured key={each.id} title={each.hosts.map(({ name }) => name).join(", ") || each.id} figures={each} />
        ))}
      </ExpandableSection>
    </>
  );
}

function Measured({ title = t`Measurements`, figures }: { title?: string; figures: Figures }) {
  return (
    <Panel title={title} count={figures.figures.length}>
      <FigureTable label={t`All figures`} figures={figures.figures} />
      {figures.contradictions.length > 0 && (
        <ul className="vm-sentences" aria-label={t`Contradictions`}>
          {figures.contradictions.map((each) => (
            <li key={each.text}>{each.text}</li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function DimensioningPage() {
  const { data: vnfds } = useSuspenseQuery(q.vnfds());
  const [params, setParams] = useSearchParams();
  const vnfd = vnfds.find((each) => each.vnfdId === params.get("vnfd"));
  return (
    <Screen title={t`Dimensioning`} lead={t`Size a VNF by what test labs measured.`}>
      {vnfds.length === 0 ? (
        <Empty
          title={t`The catalog is empty`}
          icon={CalculatorIcon}
          action={
            <Link to={pb.catalog()}>
              <Trans>Go to the catalog</Trans>
            </Link>
          }
        >
          <Trans>Onboard a VNF package first.</Trans>
        </Empty>
      ) : (
        <div className="vm-stack">
          <Form aria-label={t`VNF`} onSubmit={(event) => event.preventDefault()}>
            <Field id="dimensioning-vnf" label={t`VNF`} help={vnfd?.description}>
              {(aria) => (
                <FormSelect
                  {...aria}
                  value={vnfd?.vnfdId ?? ""}
                  onChange={(_event, id) => setParams(id ? { vnfd: id } : {})}
                >
                  <FormSelectOption value="" label={t`Choose…`} />
                  {vnfds.map((each) => (
                    <FormSelectOption key={each.vnfdId} value={each.vnfdId} label={vnfdTitle(each)} />
                  ))}
                </FormSelect>
              )}
            </Field>
          </Form>
          {vnfd ? <Question key={vnfd.vnfdId} vnfd={vnfd} /> : <References />}
        </div>
      )}
    </Screen>
  );
}

export { DimensioningPage as Component };
