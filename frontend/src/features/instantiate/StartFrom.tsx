import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, FormSelect, FormSelectOption, FormSelectOptionGroup } from "@patternfly/react-core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { q } from "@/api/queries";
import type { Vnfd } from "@/api/types";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { Field } from "@/ui/Field";
import { fieldId } from "@/features/settings/settingFields";
import { environmentsOf, keyOf, originOf, readPrefill, versionOf } from "./origin";
import { typedName } from "./draft";
import { PREFILL_KEY, PACKAGE, type PrefillResult, type Origin } from "./prefill";
import type { StepProps } from "./VnfAndCloudSteps";

function PrefillNotes({ begun: { title, leftOut } }: { begun: PrefillResult }) {
  if (leftOut.length === 0) return null;
  return (
    <Alert isInline variant="warning" component="h3" role="status" title={t`Not all settings of ${title} fit`}>
      <ul aria-label={t`Not applied`}>
        {leftOut.map(({ name, why }) => (
          <li key={name}>
            <strong>{name}</strong>: {why}
          </li>
        ))}
      </ul>
      <Trans>Everything else was applied.</Trans>
    </Alert>
  );
}

/** Settings start from the package's defaults, from an environment, or from another instance. */
export function StartFrom({ vnfd, draft, change, asked }: StepProps & { vnfd: Vnfd; asked: Origin | undefined }) {
  const client = useQueryClient();
  const environments = useQuery(q.environments());
  const { data: instances = [] } = useQuery(q.vnfInstances());
  const { data: vnfds = [] } = useQuery(q.vnfds());
  const begin = useMutation({
    mutationKey: [PREFILL_KEY, vnfd.vnfdId],
    // Choices are applied in their order, so that the last one wins.
    scope: { id: PREFILL_KEY },
    mutationFn: async (origin: Origin) => {
      const patch = await readPrefill(client, vnfd, origin, typedName(draft));
      return { vnfdId: vnfd.vnfdId, origin, patch };
    },
    onSuccess: (found) => change({ type: "begin", ...found }),
  });
  const once = useRef(draft.origin !== undefined);
  useEffect(() => {
    if (once.current || !asked) return;
    once.current = true;
    begin.mutate(asked);
  }, [asked, begin]);
  const product = new Set(
    vnfds
      .filter((each) => each.provider === vnfd.provider && each.productName === vnfd.productName)
      .map(({ vnfdId }) => vnfdId),
  );
  const ofProduct = instances.filter((each) => product.has(each.vnfdId) || each.vnfdId === vnfd.vnfdId);
  const copied = ofProduct.filter((each) => each.instantiationState === "INSTANTIATED");
  const attempted = ofProduct.filter(
    (each) => each.instantiationState === "NOT_INSTANTIATED" && each.id !== draft.vnfInstanceId,
  );
  const known = environmentsOf(environments.data ?? [], vnfd);
  const group = (label: string, kind: Origin["kind"], options: readonly (readonly [id: string, label: string])[]) =>
    options.length > 0 && (
      <FormSelectOptionGroup label={label}>
        {options.map(([id, text]) => (
          <FormSelectOption key={id} value={keyOf({ kind, id })} label={text} />
        ))}
      </FormSelectOptionGroup>
    );
  return (
    <div className="vm-start">
      <Field
        id={fieldId("origin")}
        label={t`Start from`}
        help={t`Its settings replace your input so far. You can still change each step.`}
        error={environments.isError ? t`The environments could not be loaded.` : undefined}
      >
        {(aria) => (
          <FormSelect
            {...aria}
            value={keyOf((begin.isPending ? begin.variables : draft.origin) ?? PACKAGE)}
            onChange={(_event, key) => begin.mutate(originOf(key))}
          >
            <FormSelectOption value="" label={t`Package defaults`} />
            {draft.vnfInstanceId && (
              <FormSelectOption value={keyOf({ kind: "attempt", id: draft.vnfInstanceId })} label={t`Last attempt`} />
            )}
            {group(
              t`Environments`,
              "environment",
              known.map((each) => [each.id, versionOf(each, vnfd)]),
            )}
            {group(
              t`Copy of a VNF instance`,
              "instance",
              copied.map((each) => [each.id, each.name]),
            )}
            {group(
              t`Last attempt of an instance`,
              "attempt",
              attempted.map((each) => [each.id, each.name]),
            )}
          </FormSelect>
        )}
      </Field>
      {begin.isPending && (
        <LoadingNote>
          <Trans>Applying the settings…</Trans>
        </LoadingNote>
      )}
      {begin.isError && <ProblemAlert error={begin.error} />}
      {draft.prefill && <PrefillNotes begun={draft.prefill} />}
    </div>
  );
}
