import { t } from "@lingui/core/macro";
import { Form, FormSelect, FormSelectOption } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { q } from "@/api/queries";
import type { ChangeVnfpkgRequest, VnfInstance, Vnfd } from "@/api/types";
import { CREATE_FLAVORS, fieldOfPointer, settingField } from "@/features/settings/settingFields";
import { drainParams } from "./drain";
import { DrainChoice } from "./DrainChoice";
import { OperationDialog } from "./OperationDialog";
import { MissingFlavors, plannedFlavors } from "@/features/settings/MissingFlavors";
import { Field } from "@/ui/Field";
import { changeable, SettingsSection } from "@/features/settings/SettingsSection";
import { useChanges } from "@/features/settings/useChanges";

const versionText = (vnfd: Vnfd): string => t`Software ${vnfd.softwareVersion}, VNFD ${vnfd.vnfdVersion}`;

function usePackages(instance: VnfInstance) {
  const { data: vnfds } = useQuery(q.vnfds());
  const present = vnfds?.find((each) => each.vnfdId === instance.vnfdId);
  const others = (vnfds ?? []).filter(
    (each) =>
      each.vnfdId !== present?.vnfdId &&
      each.provider === present?.provider &&
      each.productName === present.productName,
  );
  return { present, others };
}

export function ChangeVnfpkgDialog({ instance, onClose }: { instance: VnfInstance; onClose: () => void }) {
  const { present, others } = usePackages(instance);
  const [vnfdId, setVnfdId] = useState("");
  const vnfd = others.find((each) => each.vnfdId === vnfdId);
  const changes = useChanges(vnfd, instance.settings);
  const [drain, setDrain] = useState(true);
  const params = { ...changes.params, ...drainParams(vnfd, drain) };
  const request: ChangeVnfpkgRequest = {
    vnfdId,
    ...(Object.keys(params).length > 0 ? { additionalParams: params } : {}),
  };
  const complete = vnfd !== undefined && Object.keys(changes.complaints).length === 0;
  const none = present && others.length === 0;
  return (
    <OperationDialog
      instance={instance}
      operation="CHANGE_VNFPKG"
      request={complete ? request : undefined}
      firstFieldId="package-vnfd"
      title={t`Upgrade ${instance.name}`}
      button={t`Upgrade`}
      incomplete={
        none
          ? t`The catalog has no other package of ${present.productName}. Onboard one first.`
          : vnfd
            ? t`Correct the settings to see the plan.`
            : t`Choose a package to see its plan.`
      }
      fieldOf={fieldOfPointer(vnfd)}
      onClose={onClose}
    >
      {(errors, { plan }) => (
        <>
          <Form isHorizontal aria-label={t`Upgrade`} onSubmit={(event) => event.preventDefault()}>
            <Field
              id="package-vnfd"
              label={t`Package`}
              error={errors["vnfdId"]}
              help={present && t`Current: ${versionText(present)}. VNFCs are upgraded one by one, the standby first.`}
            >
              {(aria) => (
                <FormSelect {...aria} value={vnfdId} onChange={(_event, value) => setVnfdId(value)}>
                  <FormSelectOption value="" label={t`Choose…`} />
                  {others.map((each) => (
                    <FormSelectOption key={each.vnfdId} value={each.vnfdId} label={versionText(each)} />
                  ))}
                </FormSelect>
              )}
            </Field>
            <DrainChoice vnfd={vnfd} drain={drain} onChange={setDrain} />
          </Form>
          {vnfd && (
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
                settings={changeable(vnfd)}
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
