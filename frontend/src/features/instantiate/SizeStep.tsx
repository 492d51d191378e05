import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import {
  Alert,
  Button,
  ExpandableSection,
  Form,
  FormSelect,
  FormSelectOption,
  NumberInput,
  Title,
} from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { q } from "@/api/queries";
import type { Figures, Flavour, Vnfd } from "@/api/types";
import { Answer } from "@/features/dimensioning/Answer";
import { useDemand } from "@/features/dimensioning/useDemand";
import { PlainTable } from "@/ui/PlainTable";
import { plannedVnfcs } from "@/features/topology/planned";
import { memory, number } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { DemandForm } from "@/features/dimensioning/DemandForm";
import { emptyDemand } from "@/features/dimensioning/demandDraft";
import { Field } from "@/ui/Field";
import { typedNumber } from "@/ui/typedNumber";
import { flavourOf, type Change, type Draft } from "./draft";
import { fieldId } from "@/features/settings/settingFields";
import { useFieldFocus } from "./StepFooter";
import type { StepProps } from "./VnfAndCloudSteps";

type Props = StepProps & { vnfd: Vnfd };

const levelOf = (flavour: Flavour, draft: Draft) =>
  flavour.instantiationLevels.find(({ id }) => id === (draft.levelId ?? flavour.defaultInstantiationLevelId));

/** The instantiation level gives the level of each aspect unless the user chose another one. */
const scaleOf = (flavour: Flavour, draft: Draft): Record<string, number> => ({
  ...levelOf(flavour, draft)?.scale,
  ...draft.scale,
});

function Aspects({ flavour, draft, change }: StepProps & { flavour: Flavour }) {
  const scale = scaleOf(flavour, draft);
  return flavour.scalingAspects.map(({ id, name, description, maxScaleLevel }) => {
    const level = scale[id] ?? 0;
    const set = (wanted: number) =>
      change({ type: "scale", aspectId: id, level: Math.min(maxScaleLevel, Math.max(0, wanted)) });
    return (
      <Field
        key={id}
        id={fieldId(`scale ${id}`)}
        label={t`${name}: scale level`}
        help={t`${description} 0 (the smallest size) to ${maxScaleLevel}.`}
      >
        {(aria) => (
          <NumberInput
            inputProps={{ id: aria.id, "aria-describedby": aria["aria-describedby"] }}
            inputAriaLabel={t`${name}: scale level`}
            minusBtnAriaLabel={t`${name}: one level down`}
            plusBtnAriaLabel={t`${name}: one level up`}
            value={level}
            min={0}
            max={maxScaleLevel}
            onMinus={() => set(level - 1)}
            onPlus={() => set(level + 1)}
            onChange={(event) => set(typedNumber(event))}
            widthChars={4}
          />
        )}
      </Field>
    );
  });
}

function Choice({ vnfd, flavour, draft, change }: Props & { flavour: Flavour | undefined }) {
  const text = (field: "flavourId" | "levelId") => (_event: unknown, value: string) =>
    change({ type: "text", field, value });
  const level = flavour && levelOf(flavour, draft);
  return (
    <fieldset className="vm-group">
      <legend>
        <Trans>Size</Trans>
      </legend>
      <Field
        id={fieldId("flavourId")}
        label={t`Deployment flavour`}
        error={draft.errors["flavourId"]}
        help={flavour?.description}
      >
        {(aria) => (
          <FormSelect {...aria} value={flavour?.id ?? ""} onChange={text("flavourId")}>
            {vnfd.flavours.map((each) => (
              <FormSelectOption key={each.id} value={each.id} label={each.id} />
            ))}
          </FormSelect>
        )}
      </Field>
      <Field
        id={fieldId("levelId")}
        label={t`Instantiation level`}
        error={draft.errors["levelId"]}
        help={level?.description}
      >
        {(aria) => (
          <FormSelect {...aria} value={level?.id ?? ""} onChange={text("levelId")}>
            {flavour?.instantiationLevels.map((each) => (
              <FormSelectOption key={each.id} value={each.id} label={each.id} />
            ))}
          </FormSelect>
        )}
      </Field>
      {flavour && <Aspects flavour={flavour} draft={draft} change={change} />}
    </fieldset>
  );
}

function Scaled({ flavour, draft, change }: StepProps & { flavour: Flavour }) {
  const scaled = Object.entries(draft.scale).map(
    ([id, level]) => t`${flavour.scalingAspects.find((aspect) => aspect.id === id)?.name ?? id} level ${level}`,
  );
  if (scaled.length === 0) return null;
  return (
    <Alert
      isInline
      variant="info"
      component="h3"
      title={t`Differs from the level: ${scaled.join(", ")}`}
      actionLinks={
        <Button variant="link" isInline onClick={() => change({ type: "unscale" })}>
          <Trans>Use the instantiation level</Trans>
        </Button>
      }
    />
  );
}

/** Needs of the package, which do not depend on a cloud. */
function Machines({ vnfd, flavour, draft }: { vnfd: Vnfd; flavour: Flavour; draft: Draft }) {
  const vnfcs = useMemo(() => plannedVnfcs(vnfd, flavour, scaleOf(flavour, draft)), [vnfd, flavour, draft]);
  const rows = vnfd.vdus.map((vdu) => {
    const slots = vnfcs.filter((vnfc) => vnfc.vdu.id === vdu.id).map(({ slot }) => slot);
    const { vcpus, memoryMib } = flavour.needs[vdu.id] ?? vdu.needs;
    return { vdu, slots, vcpus: vcpus * slots.length, memoryMib: memoryMib * slots.length };
  });
  const sum = (of: "vcpus" | "memoryMib") => rows.reduce((total, row) => total + row[of], 0);
  return (
    <Panel level="h3" title={t`VMs of this size`} count={vnfcs.length}>
      <PlainTable
        label={t`VMs of this size`}
        head={["VDU", "VMs", t`Slots`, "vCPUs", t`Memory`]}
        rows={rows.map(({ vdu, slots, vcpus, memoryMib }) => ({
          key: vdu.id,
          cells: [vdu.name, slots.length, vdu.slots.length > 0 ? slots.join(", ") : "—", vcpus, memory(memoryMib)],
        }))}
      />
      <p className="vm-quiet">
        <Trans>
          <Plural value={vnfcs.length} one="# VM" other="# VMs" />, {number(sum("vcpus"))} vCPUs and{" "}
          {memory(sum("memoryMib"))} in total.
        </Trans>
      </p>
    </Panel>
  );
}

function Demand({ vnfd, figures, draft, change }: Props & { figures: Figures }) {
  const demand = draft.demand ?? emptyDemand(figures);
  const { errors, rest, ask, check } = useDemand(vnfd.vnfdId, figures, demand);
  const set = (next: typeof demand) => change({ type: "demand", demand: next } satisfies Change);
  return (
    <div className="vm-stack">
      <DemandForm {...{ figures, draft: demand, errors }} busy={ask.isPending} onChange={set} onAsk={check} />
      {ask.isError && <ProblemAlert error={ask.error} rest={rest} />}
      {ask.isSuccess && (
        <Answer
          vnfd={vnfd}
          answer={ask.data}
          onTake={(size) => {
            change({ type: "size", ...size });
            document.getElementById(fieldId("levelId"))?.focus();
          }}
        />
      )}
    </div>
  );
}

function Dimensioning({ vnfd, draft, change }: Props) {
  const [open, setOpen] = useState(draft.demand !== undefined);
  const { data: figures, error, isPending } = useQuery(q.figures(vnfd.vnfdId));
  return (
    <ExpandableSection
      toggleText={t`Calculate the size from the demand`}
      isExpanded={open}
      onToggle={(_event, next) => setOpen(next)}
    >
      {error && <ProblemAlert error={error} />}
      {isPending && (
        <LoadingNote>
          <Trans>Loading the figures…</Trans>
        </LoadingNote>
      )}
      {figures?.demand.length === 0 && (
        <p className="vm-quiet">{figures.unknown[0] ?? t`The package has no measurements for dimensioning.`}</p>
      )}
      {figures && figures.demand.length > 0 && <Demand vnfd={vnfd} figures={figures} draft={draft} change={change} />}
    </ExpandableSection>
  );
}

export function SizeStep({ vnfd, draft, change }: Props) {
  useFieldFocus(draft);
  const flavour = flavourOf(vnfd, draft);
  return (
    <div className="vm-stack vm-settings">
      <Title headingLevel="h2" size="xl" className="vm-wizard-title" tabIndex={-1}>
        <Trans>Choose a size</Trans>
      </Title>
      <Form aria-label={t`Size`} onSubmit={(event) => event.preventDefault()} noValidate>
        <Choice vnfd={vnfd} flavour={flavour} draft={draft} change={change} />
      </Form>
      {flavour && <Scaled flavour={flavour} draft={draft} change={change} />}
      {flavour && <Machines vnfd={vnfd} flavour={flavour} draft={draft} />}
      <Dimensioning vnfd={vnfd} draft={draft} change={change} />
    </div>
  );
}
