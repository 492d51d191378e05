import { Alert, Button, Form, FormSelect, FormSelectOption, TextInput, Title } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { q } from "@/api/queries";
import type { PlanFlavor, Vnfd } from "@/api/types";
import { plural } from "@/ui/format";
import { Field } from "../settings/Field";
import { NoFlavorFits } from "../settings/ResourceFields";
import { CreateFlavors } from "../settings/CreateFlavors";
import { SettingsFields } from "../settings/SettingsFields";
import { usePlan } from "../plan/usePlan";
import { CREATE_FLAVORS, fieldId, flavourOf, rawValue, settingField, toRequest, type Draft } from "./draft";
import { useFieldFocus } from "./footers";
import { Management } from "./Management";
import type { StepProps } from "./steps";

function Identity({ vnfd, draft, change }: StepProps & { vnfd: Vnfd }) {
  const flavour = flavourOf(vnfd, draft);
  const levelId = draft.levelId ?? flavour?.defaultInstantiationLevelId ?? "";
  const level = flavour?.instantiationLevels.find((each) => each.id === levelId);
  const scaled = Object.entries(draft.scale).map(
    ([id, n]) => `${flavour?.scalingAspects.find((aspect) => aspect.id === id)?.name ?? id} level ${n}`,
  );
  const text = (field: "name" | "description" | "flavourId" | "levelId") => (_event: unknown, value: string) =>
    change({ type: "text", field, value });
  return (
    <fieldset className="vm-group">
      <legend>Name and size</legend>
      <Field
        id={fieldId("name")}
        label="Name"
        required
        error={draft.errors["name"]}
        help="The VNF instance's name; unique."
      >
        {(aria) => (
          <TextInput
            {...aria}
            value={draft.name}
            onChange={text("name")}
            autoComplete="off"
            isDisabled={draft.vnfInstanceId !== undefined}
          />
        )}
      </Field>
      <Field id={fieldId("description")} label="Description" error={draft.errors["description"]}>
        {(aria) => (
          <TextInput
            {...aria}
            value={draft.description}
            onChange={text("description")}
            autoComplete="off"
            isDisabled={draft.vnfInstanceId !== undefined}
          />
        )}
      </Field>
      <Field
        id={fieldId("flavourId")}
        label="Deployment flavour"
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
        label="Instantiation level"
        error={draft.errors["levelId"]}
        help={level?.description}
      >
        {(aria) => (
          <FormSelect {...aria} value={levelId} onChange={text("levelId")}>
            {flavour?.instantiationLevels.map((each) => (
              <FormSelectOption key={each.id} value={each.id} label={each.id} />
            ))}
          </FormSelect>
        )}
      </Field>
      {scaled.length > 0 && (
        <Alert
          isInline
          variant="info"
          component="h3"
          title={`Scaled as dimensioned: ${scaled.join(", ")}`}
          actionLinks={
            <Button variant="link" isInline onClick={() => change({ type: "unscale" })}>
              Use the instantiation level as it is
            </Button>
          }
        />
      )}
    </fieldset>
  );
}

/** What the cloud would give for the present choices, asked as a plan before any setting is typed. */
function useProposals(vnfd: Vnfd, draft: Draft): { proposals: PlanFlavor[]; asking: boolean } {
  const { vimId, flavourId, levelId, scale } = draft;
  const input = useMemo(() => {
    if (!vimId) return undefined;
    const request = toRequest(vnfd, { ...draft, vimId, flavourId, levelId, scale, raw: {}, createFlavors: false });
    return { operation: "INSTANTIATE" as const, vnfdId: vnfd.vnfdId, request };
    // Only these change a proposal; typing does not ask again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [vnfd, vimId, flavourId, levelId, scale]);
  const { plan, pending } = usePlan(input);
  return { proposals: plan?.result?.flavors ?? [], asking: pending };
}

export function SettingsStep({ vnfd, draft, change }: StepProps & { vnfd: Vnfd }) {
  useFieldFocus(draft);
  const { data: resources } = useQuery({ ...q.vimResources(draft.vimId ?? ""), enabled: Boolean(draft.vimId) });
  const { proposals, asking } = useProposals(vnfd, draft);
  const missing = proposals.filter((each) => each.source === "to_create");
  const unresolved = missing.filter((each) => !draft.raw[each.parameter]);
  const faults = Object.keys(draft.errors).length;
  const agreementError = draft.errors[settingField(CREATE_FLAVORS)];
  return (
    <Form aria-label="Settings" className="vm-settings" onSubmit={(event) => event.preventDefault()} noValidate>
      <Title headingLevel="h2" size="xl" className="vm-wizard-title" tabIndex={-1}>
        Check and change settings
      </Title>
      {faults > 0 && (
        <Alert isInline variant="danger" component="h3" role="alert" title={`${plural(faults, "setting")} to correct`}>
          What is wrong is said at each field below. Everything else is as you typed it.
        </Alert>
      )}
      <Identity vnfd={vnfd} draft={draft} change={change} />
      {asking && (
        <p role="status" className="vm-quiet">
          Asking the cloud which flavors fit…
        </p>
      )}
      {unresolved.length > 0 && <NoFlavorFits missing={unresolved} />}
      {(missing.length > 0 || draft.createFlavors || agreementError) && (
        <CreateFlavors
          id={fieldId(settingField(CREATE_FLAVORS))}
          isChecked={draft.createFlavors}
          error={agreementError}
          onChange={(value) => change({ type: "createFlavors", value })}
        />
      )}
      {vnfd.element && <Management draft={draft} change={change} />}
      <SettingsFields
        vnfd={vnfd}
        settings={vnfd.settings}
        valueOf={(setting) => rawValue(draft, setting)}
        errors={draft.errors}
        resources={resources}
        proposals={proposals}
        onChange={(name, raw) => change({ type: "setting", name, raw })}
        onComplaint={(field, complaint) => change({ type: "errors", errors: { ...draft.errors, [field]: complaint } })}
      />
    </Form>
  );
}
