import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Form, FormSelect, FormSelectOption } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { q } from "@/api/queries";
import type { Finding, PackageReport } from "@/api/types";
import { Field } from "@/ui/Field";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { FindingReport } from "@/ui/FindingReport";

const identity = ({ severity, code, file, line, message }: Finding) => [severity, code, file, line, message].join("\n");

interface Props {
  /** Query key of the files: other files are validated again. */
  packageKey: string;
  /** Findings without a cloud, which are not repeated. */
  knownFindings: readonly Finding[];
  validate: (vimId: string) => Promise<PackageReport>;
}

/** The findings of a cloud's Heat prevent nothing. */
export function HeatValidation({ packageKey, knownFindings, validate }: Props) {
  const { data: vims = [] } = useQuery(q.vims());
  const [vimId, choose] = useState("");
  const validation = useQuery({
    queryKey: ["cloud_opinion", packageKey, vimId],
    queryFn: () => validate(vimId),
    enabled: vimId !== "",
    ...{ staleTime: Infinity, gcTime: 0, meta: { once: true } },
  });
  const known = new Set(knownFindings.map(identity));
  const added = validation.data?.validationReport.filter((finding) => !known.has(identity(finding))) ?? [];
  const name = vims.find(({ id }) => id === vimId)?.name ?? "";
  if (vims.length === 0)
    return (
      <p className="vm-quiet">
        <Trans>No cloud is registered to validate on.</Trans>
      </p>
    );
  return (
    <div className="vm-stack">
      <Form className="vm-choosers" aria-label={t`Validate on a cloud`} onSubmit={(event) => event.preventDefault()}>
        <Field
          id="opinion-vim"
          label={t`Cloud`}
          help={t`Heat validates and previews the templates; nothing is created.`}
        >
          {(aria) => (
            <FormSelect {...aria} value={vimId} onChange={(_event, id) => choose(id)}>
              <FormSelectOption value="" label={t`Choose a cloud`} isPlaceholder />
              {vims.map((vim) => (
                <FormSelectOption key={vim.id} value={vim.id} label={vim.name} />
              ))}
            </FormSelect>
          )}
        </Field>
      </Form>
      {validation.isFetching && (
        <LoadingNote>
          <Trans>Validating with Heat of {name}; this can take up to a minute…</Trans>
        </LoadingNote>
      )}
      {validation.error && <ProblemAlert error={validation.error} />}
      {validation.data && !validation.isFetching && (
        <>
          {!validation.data.valid && (
            <Alert isInline variant="warning" component="h3" title={t`It cannot be deployed on ${name} as is`} />
          )}
          <FindingReport findings={added} />
        </>
      )}
    </div>
  );
}
