import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Form, TextInput, Title } from "@patternfly/react-core";
import { useEffect } from "react";
import type { Vnfd } from "@/api/types";
import { useDebounced } from "@/ui/useDebounced";
import { Field } from "@/ui/Field";
import { MissingFlavors } from "@/features/settings/MissingFlavors";
import { SettingsFields } from "@/features/settings/SettingsFields";
import { siblingsOf, usualRaw } from "@/features/settings/plannedSettings";
import { useVimResources } from "@/features/settings/useVimResources";
import { settingErrors, stepOf, type Draft } from "./draft";
import { CREATE_FLAVORS, fieldId, settingField } from "@/features/settings/settingFields";
import { useFieldFocus } from "./StepFooter";
import { AdvancedSwitch, useVisibleSettings } from "./AdvancedSwitch";
import { ManagementFields } from "./ManagementFields";
import { useSettingsPlan } from "./useSettingsPlan";
import type { StepProps } from "./VnfAndCloudSteps";

function NameFields({ draft, change }: StepProps) {
  const text = (field: "name" | "description") => (_event: unknown, value: string) =>
    change({ type: "text", field, value });
  return (
    <fieldset className="vm-group">
      <legend>
        <Trans>Name</Trans>
      </legend>
      <Field
        id={fieldId("name")}
        label={t`Name`}
        required
        error={draft.errors["name"]}
        help={t`The VNF instance's name; unique.`}
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
      <Field id={fieldId("description")} label={t`Description`} error={draft.errors["description"]}>
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
    </fieldset>
  );
}

/** Secrets are never stored, so the user must enter them; those still empty are listed. */
function SecretsToEnter({ vnfd, draft }: { vnfd: Vnfd; draft: Draft }) {
  const empty = vnfd.settings.filter(({ name }) => draft.secretsToEnter.includes(name) && !draft.raw[name]);
  if (empty.length === 0) return null;
  const labels = empty.map(({ label }) => label).join(", ");
  return (
    <Alert isInline variant="info" component="h3" title={t`Enter again if needed: ${labels}`}>
      <Trans>Secrets are stored neither in environments, nor in copies, nor in this browser.</Trans>
    </Alert>
  );
}

/** Reports errors of typed values when typing stops; missing values are reported when the user leaves the step. */
function useTypedErrors(vnfd: Vnfd, { draft, change }: StepProps) {
  const typed = useDebounced(draft.raw);
  useEffect(() => {
    if (typed !== draft.raw) return;
    const found = Object.entries(settingErrors(vnfd, draft)).filter(([field]) => {
      const raw = typed[field.slice(settingField("").length)];
      return raw !== undefined && raw.trim() !== "" && draft.errors[field] === undefined;
    });
    if (found.length > 0) change({ type: "errors", errors: { ...draft.errors, ...Object.fromEntries(found) } });
    // Runs when typing stops and not when an error is added.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [typed]);
}

export function SettingsStep({ vnfd, draft, change }: StepProps & { vnfd: Vnfd }) {
  useFieldFocus(draft);
  useTypedErrors(vnfd, { draft, change });
  const resources = useVimResources(draft.vimId);
  const { proposals, planned, asking } = useSettingsPlan(vnfd, draft);
  const missing = proposals.filter((each) => each.source === "to_create");
  const unresolved = missing.filter((each) => !draft.raw[each.parameter]);
  const { isShown, showAll, ...shown } = useVisibleSettings(vnfd, draft);
  const faults = Object.keys(draft.errors).filter((field) => stepOf(field) === "settings").length;
  const agreementError = draft.errors[settingField(CREATE_FLAVORS)];
  return (
    <Form aria-label={t`Settings`} className="vm-settings" onSubmit={(event) => event.preventDefault()} noValidate>
      <Title headingLevel="h2" size="xl" className="vm-wizard-title" tabIndex={-1}>
        <Trans>Check and change settings</Trans>
      </Title>
      <AdvancedSwitch {...shown} onChange={showAll} />
      {faults > 0 && (
        <Alert
          isInline
          variant="danger"
          component="h3"
          role="alert"
          title={t`${plural(faults, { one: "# setting", other: "# settings" })} to correct`}
        >
          <Trans>See the fields below. Your other input is kept.</Trans>
        </Alert>
      )}
      <SecretsToEnter vnfd={vnfd} draft={draft} />
      <NameFields draft={draft} change={change} />
      {asking && (
        <p role="status" className="vm-quiet">
          <Trans>Checking flavors and values…</Trans>
        </p>
      )}
      {(missing.length > 0 || draft.createFlavors !== undefined || agreementError) && (
        <MissingFlavors
          id={fieldId(settingField(CREATE_FLAVORS))}
          vimId={draft.vimId}
          agreed={draft.createFlavors}
          missing={unresolved}
          error={agreementError}
          onChange={(value) => change({ type: "createFlavors", value })}
        />
      )}
      {vnfd.element && <ManagementFields vnfd={vnfd} draft={draft} change={change} />}
      <SettingsFields
        vnfd={vnfd}
        settings={vnfd.settings}
        isShown={isShown}
        valueOf={(setting) => draft.raw[setting.name] ?? usualRaw(setting, planned)}
        errors={draft.errors}
        resources={resources}
        proposals={proposals}
        planned={planned}
        onChange={(name, raw) => {
          change({ type: "setting", name, raw });
          for (const [sibling, value] of siblingsOf(name, vnfd.addressPlans, planned))
            if (draft.raw[sibling] === undefined) change({ type: "setting", name: sibling, raw: value });
        }}
        onComplaint={(field, complaint) => change({ type: "errors", errors: { ...draft.errors, [field]: complaint } })}
      />
    </Form>
  );
}
