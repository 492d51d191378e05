import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Form, FormSelect, FormSelectOption } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { q } from "@/api/queries";
import type { Finding, PackageReport } from "@/api/types";
import { Field } from "@/ui/Field";
import { Pending } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { FindingReport } from "./FindingReport";

const identity = ({ severity, code, file, line, message }: Finding) => [severity, code, file, line, message].join("\n");

interface Props {
  /** What the files are, so that another set of them is asked about anew. */
  of: string;
  /** What is found without a cloud. */
  without: readonly Finding[];
  ask: (vimId: string) => Promise<PackageReport>;
}

/** What changes when the package is for a certain cloud, its Heat's own words among it. A look: it forbids nothing. */
export function CloudOpinion({ of, without, ask }: Props) {
  const { data: vims = [] } = useQuery(q.vims());
  const [vimId, choose] = useState("");
  const opinion = useQuery({
    queryKey: ["cloud_opinion", of, vimId],
    queryFn: () => ask(vimId),
    enabled: vimId !== "",
    ...{ staleTime: Infinity, gcTime: 0, meta: { once: true } },
  });
  const known = new Set(without.map(identity));
  const said = opinion.data?.validationReport.filter((finding) => !known.has(identity(finding))) ?? [];
  const name = vims.find(({ id }) => id === vimId)?.name ?? "";
  if (vims.length === 0)
    return (
      <p className="vm-quiet">
        <Trans>No cloud is registered whose Heat could be asked.</Trans>
      </p>
    );
  return (
    <div className="vm-stack">
      <Form className="vm-choosers" aria-label={t`Ask a cloud`} onSubmit={(event) => event.preventDefault()}>
        <Field
          id="opinion-vim"
          label={t`Cloud`}
          help={t`Its Heat validates and previews the templates; it makes nothing.`}
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
      {opinion.isFetching && (
        <Pending>
          <Trans>Asking the Heat of {name}; that may take most of a minute…</Trans>
        </Pending>
      )}
      {opinion.error && <ProblemAlert error={opinion.error} />}
      {opinion.data && !opinion.isFetching && (
        <>
          {!opinion.data.valid && (
            <Alert isInline variant="warning" component="h3" title={t`It cannot be deployed on ${name} as it is`} />
          )}
          <FindingReport findings={said} />
        </>
      )}
    </div>
  );
}
