import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useWizardContext } from "@patternfly/react-core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { environmentCreate } from "@/api/callsEnvironments";
import { keys } from "@/api/keys";
import type { Environment, EnvironmentInput, Vnfd } from "@/api/types";
import { pb } from "@/paths";
import { RecordDialog } from "@/records/RecordDialog";
import type { FieldSpec } from "@/records/fields";
import { ChangeButton } from "@/ui/ActionButton";
import { vnfdTitle } from "@/ui/names";
import { useToast } from "@/ui/toasts";
import { firstError, settingErrors, toRequest, type Draft } from "./draft";
import { CREATE_FLAVORS } from "@/features/settings/settingFields";
import type { Choices } from "./prefill";
import type { StepProps } from "./VnfAndCloudSteps";

/** The user gives name and description in the dialog. */
type EnvironmentContent = Omit<EnvironmentInput, "name" | "description">;

/** Contains the changed settings without secrets and without the agreement to create flavors. */
function environmentContent(vnfd: Vnfd, draft: Draft): EnvironmentContent {
  const { vimConnectionInfo: _vim, additionalParams = {}, ...size } = toRequest(vnfd, draft);
  const hidden = new Set([...vnfd.settings.filter((each) => each.hidden).map(({ name }) => name), CREATE_FLAVORS]);
  const params = Object.fromEntries(Object.entries(additionalParams).filter(([name]) => !hidden.has(name)));
  return { vnfdId: vnfd.vnfdId, vimId: draft.vimId ?? null, ...size, additionalParams: params };
}

export function environmentContentOfInstance(
  vnfd: Vnfd,
  { vimId, flavourId, levelId, scale, params }: Choices,
): EnvironmentContent {
  const info = Object.entries(scale).map(([aspectId, scaleLevel]) => ({ aspectId, scaleLevel }));
  return {
    ...{ vnfdId: vnfd.vnfdId, vimId, flavourId, additionalParams: params },
    ...(levelId ? { instantiationLevelId: levelId } : {}),
    ...(info.length > 0 ? { targetScaleLevelInfo: info } : {}),
  };
}

interface Props {
  vnfd: Vnfd;
  unnamed: EnvironmentContent;
  title: string;
  onClose: () => void;
}

export function SaveEnvironmentDialog({ vnfd, unnamed, title, onClose }: Props) {
  const client = useQueryClient();
  const toast = useToast();
  const secrets = vnfd.settings.filter((each) => each.hidden).map(({ label }) => label);
  const kept = Object.keys(unnamed.additionalParams ?? {}).length;
  const fields: FieldSpec[] = [
    {
      kind: "text",
      name: "name",
      label: t`Name`,
      required: true,
      help: t`Unique per package version.`,
    },
    { kind: "area", name: "description", label: t`Description` },
    ...(unnamed.vimId
      ? [
          {
            kind: "check",
            name: "cloud",
            label: t`Include the cloud`,
            help: t`Proposed to users who start from it.`,
          } as const,
        ]
      : []),
  ];
  return (
    <RecordDialog
      title={title}
      button={t`Save`}
      lead={[
        t`Of ${vnfdTitle(vnfd)}: flavour, size and ${plural(kept, { one: "# setting", other: "# settings" })}.`,
        ...(secrets.length > 0 ? [t`Secrets are not saved: ${secrets.join(", ")}.`] : []),
      ].join(" ")}
      fields={fields}
      initial={{ cloud: true }}
      isNew
      save={({ cloud, ...named }) =>
        environmentCreate({ ...unnamed, ...(named as { name: string }), vimId: cloud ? (unnamed.vimId ?? null) : null })
      }
      onSaved={(saved) => {
        void client.invalidateQueries({ queryKey: keys.environments });
        toast({
          variant: "success",
          title: t`Environment ${(saved as Environment).name} saved`,
          link: (
            <Link to={pb.environments(vnfd.packageId)}>
              <Trans>Show the environments</Trans>
            </Link>
          ),
        });
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Errors in the settings must be corrected before they are saved. */
export function SaveSettings({ vnfd, draft, change }: StepProps & { vnfd: Vnfd }) {
  const { goToStepById } = useWizardContext();
  const [unnamed, setUnnamed] = useState<EnvironmentContent>();
  function open() {
    const typed = Object.fromEntries(
      // An address conflict with another instance is not an error of the environment.
      Object.entries(settingErrors(vnfd, { ...draft, addressConflicts: {} })).filter(([field]) => {
        const raw = draft.raw[field.replace(/^setting:/, "")];
        return raw !== undefined && raw.trim() !== "";
      }),
    );
    const first = firstError(vnfd, typed);
    if (!first) {
      setUnnamed(environmentContent(vnfd, draft));
      return;
    }
    change({ type: "errors", errors: { ...draft.errors, ...typed }, focus: first.field });
    goToStepById(first.step);
  }
  return (
    <>
      <ChangeButton variant="link" onClick={open}>
        <Trans>Save settings as…</Trans>
      </ChangeButton>
      {unnamed && (
        <SaveEnvironmentDialog
          vnfd={vnfd}
          unnamed={unnamed}
          title={t`Save settings as environment`}
          onClose={() => setUnnamed(undefined)}
        />
      )}
    </>
  );
}
