import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  apiTokenCreate,
  apiTokenRevoke,
  peopleKeys,
  peopleQueries,
  type ApiToken,
  type ApiTokenInput,
  type IssuedToken,
} from "@/api/people";
import type { FieldSpec } from "@/records/fields";
import { RecordDialog } from "@/records/RecordDialog";
import { IssuedSecret } from "@/ui/IssuedSecret";
import { LoadedRows } from "@/ui/LoadedRows";
import { Panel } from "@/ui/Panel";
import { RevokeDialog, TokenTable } from "./TokenTable";

const MONTH_MS = 30 * 86_400_000;
const FIELDS: readonly FieldSpec[] = [
  { kind: "text", name: "name", label: t`Name`, required: true, help: t`Who uses it, such as the name of a program.` },
  { kind: "time", name: "expiresAt", label: t`Expires`, help: t`Empty: as late as possible.` },
];

/** A bearer token gives a program the rights of its user. */
export function Tokens() {
  const client = useQueryClient();
  const query = useQuery(peopleQueries.apiTokens());
  const [asking, setAsking] = useState<{ expiresAt: string }>();
  const [revoking, setRevoking] = useState<ApiToken>();
  const [issued, setIssued] = useState<IssuedToken>();
  const refresh = () => void client.invalidateQueries({ queryKey: peopleKeys.apiTokens });
  return (
    <Panel
      title={t`API tokens`}
      {...(query.data ? { count: query.data.length } : {})}
      actions={
        <Button
          variant="secondary"
          onClick={() => setAsking({ expiresAt: new Date(Date.now() + MONTH_MS).toISOString() })}
        >
          <Trans>Create a token</Trans>
        </Button>
      }
    >
      <LoadedRows
        query={query}
        loading={t`Loading the tokens…`}
        none={<p>{t`No tokens yet. A program uses a token to call the API with your permissions.`}</p>}
      >
        {(tokens) => <TokenTable tokens={tokens} onRevoke={setRevoking} />}
      </LoadedRows>
      {asking && (
        <RecordDialog
          title={t`Create a token`}
          button={t`Create`}
          fields={FIELDS}
          initial={asking}
          isNew
          save={(input) => apiTokenCreate(input as unknown as ApiTokenInput)}
          onSaved={(saved) => {
            setAsking(undefined);
            setIssued(saved as IssuedToken);
            refresh();
          }}
          onClose={() => setAsking(undefined)}
        />
      )}
      {issued && (
        <IssuedSecret
          title={t`Token ${issued.name}`}
          secret={issued.token}
          copy={t`Copy the token`}
          lost={t`It grants your permissions. If it is lost, revoke it and create a new one.`}
          use={
            <Trans>
              Programs send it with each request as <code>Authorization: Bearer …</code>
            </Trans>
          }
          onClose={() => setIssued(undefined)}
        />
      )}
      {revoking && (
        <RevokeDialog
          token={revoking}
          revoke={({ id }) => apiTokenRevoke(id)}
          onClose={() => {
            setRevoking(undefined);
            refresh();
          }}
        />
      )}
    </Panel>
  );
}
