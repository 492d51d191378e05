import { t } from "@lingui/core/macro";
import { Form, FormSelect, FormSelectOption } from "@patternfly/react-core";
import { useState } from "react";
import type { ChangeFlavourRequest, Flavour, VnfInstance } from "@/api/types";
import { CREATE_FLAVORS, fieldOfPointer, settingField } from "@/features/settings/settingFields";
import { drainParams } from "./drain";
import { DrainChoice } from "./DrainChoice";
import { OperationDialog } from "./OperationDialog";
import { useFlavour } from "./useFlavour";
import { MissingFlavors, plannedFlavors } from "@/features/settings/MissingFlavors";
import { Field } from "@/ui/Field";
import { changeable, SettingsSection } from "@/features/settings/SettingsSection";
import { useChanges } from "@/features/settings/useChanges";

/** Stands for the present scale levels if no instantiation level has them. */
const PRESENT = "present scale";

/** A change of flavour should not scale the instance, so its present level is chosen if the flavour has it. */
function levelOf(instance: VnfInstance, flavour: Flavour): string {
  const exact = flavour.instantiationLevels.find(({ scale }) =>
    instance.scale.every(({ aspectId, level }) => scale[aspectId] === level),
  );
  const fits = instance.scale.every(({ aspectId, level }) =>
    flavour.scalingAspects.some(({ id, maxScaleLevel }) => id === aspectId && level <= maxScaleLevel),
  );
  return exact?.id ?? (fits ? PRESENT : flavour.defaultInstantiationLevelId);
}

const levelText = (flavour: Flavour | undefined, id: string): string =>
  id === PRESENT
    ? t`As many VNFCs as now.`
    : (flavour?.instantiationLevels.find((each) => each.id === id)?.description ?? "");

export function ChangeFlavourDialog({ instance, onClose }: { instance: VnfInstance; onClose: () => void }) {
  const { vnfd, flavour: present } = useFlavour(instance);
  const [flavourId, setFlavourId] = useState("");
  const [levelId, setLevelId] = useState("");
  const [drain, setDrain] = useState(true);
  const changes = useChanges(vnfd, instance.settings);
  const flavour = vnfd?.flavours.find((each) => each.id === flavourId);
  const preset = flavour ? levelOf(instance, flavour) : "";
  const level = levelId || preset;
  const scale = instance.scale.map(({ aspectId, level: scaleLevel }) => ({ aspectId, scaleLevel }));
  const params = { ...changes.params, ...drainParams(vnfd, drain) };
  const request: ChangeFlavourRequest = {
    newFlavourId: flavourId,
    ...(level === PRESENT ? { targetScaleLevelInfo: scale } : { instantiationLevelId: level }),
    ...(Object.keys(params).length > 0 ? { additionalParams: params } : {}),
  };
  const complete = flavour !== undefined && Object.keys(changes.complaints).length === 0;
  const fieldOf = (parts: string[]) => (parts[0] === "newFlavourId" ? "flavourId" : fieldOfPointer(vnfd)(parts));
  return (
    <OperationDialog
      instance={instance}
      operation="CHANGE_FLAVOUR"
      request={complete ? request : undefined}
      firstFieldId="flavour-id"
      title={t`Change deployment flavour of ${instance.name}`}
      button={t`Change deployment flavour`}
      incomplete={flavour ? t`Correct the settings to see the plan.` : t`Choose a flavour to see its plan.`}
      fieldOf={fieldOf}
      onClose={onClose}
    >
      {(errors, { plan }) => (
        <>
          <Form isHorizontal aria-label={t`Change deployment flavour`} onSubmit={(event) => event.preventDefault()}>
            <Field
              id="flavour-id"
              label={t`Deployment flavour`}
              error={errors["flavourId"]}
              help={flavour?.description ?? (present && t`Current flavour: ${present.id}.`)}
            >
              {(aria) => (
                <FormSelect
                  {...aria}
                  value={flavourId}
                  onChange={(_event, value) => {
                    setFlavourId(value);
                    setLevelId("");
                  }}
                >
                  <FormSelectOption value="" label={t`Choose…`} />
                  {vnfd?.flavours.map(({ id }) => (
                    <FormSelectOption key={id} value={id} label={id === present?.id ? t`${id} (current)` : id} />
                  ))}
                </FormSelect>
              )}
            </Field>
            <Field
              id="flavour-level"
              label={t`Instantiation level`}
              error={errors["levelId"]}
              help={levelText(flavour, level)}
            >
              {(aria) => (
                <FormSelect
                  {...aria}
                  value={level}
                  isDisabled={!flavour}
                  onChange={(_event, value) => setLevelId(value)}
                >
                  {preset === PRESENT && <FormSelectOption value={PRESENT} label={t`As now`} />}
                  {flavour?.instantiationLevels.map(({ id }) => (
                    <FormSelectOption key={id} value={id} label={id} />
                  ))}
                </FormSelect>
              )}
            </Field>
            <DrainChoice vnfd={vnfd} drain={drain} onChange={setDrain} />
          </Form>
          {flavour && vnfd && (
            <>
              <MissingFlavors
                id="create-flavors"
                vimId={instance.vimId}
                agreed={changes.createFlavors}
                missing={plannedFlavors(plan).filter((each) => each.source === "to_create")}
                error={errors[settingField(CREATE_FLAVORS)]}
                onChange={changes.setCreateFlavors}
              />
              <SettingsSection
                instance={instance}
                vnfd={vnfd}
                settings={changeable(vnfd).filter(({ format }) => format !== "image")}
                changes={changes}
                errors={errors}
                proposals={plannedFlavors(plan)}
              />
            </>
          )}
        </>
      )}
    </OperationDialog>
  );
}
