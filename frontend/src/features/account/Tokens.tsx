import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Button, Modal, ModalBody, ModalFooter, ModalHeader } from "@patternfly/react-core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
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
import { Copy } from "@/ui/Copy";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { RevokeDialog, TokenTable } from "./TokenTable";

const MONTH_MS = 30 * 86_400_000;
const FIELDS: readonly FieldSpec[] = [
  { kind: "text", name: "name", label: t`Name`, required: true, help: t`Who uses it, such as the name of a program.` },
  { kind: "time", name: "expiresAt", label: t`Expires`, help: t`Empty: as late as possible.` },
];

/** The secret of a new token, shown only once. */
function Secret({ token: { name, token }, onClose }: { token: IssuedToken; onClose: () => void }) {
  const id = useId();
  return (
    <Modal isOpen variant="medium" onClose={onClose} aria-labelledby={id}>
      <ModalHeader title={t`Token ${name}`} labelId={id} />
      <ModalBody>
        <div className="vm-stack">
          <Alert isInline variant="warning" component="h3" title={t`Copy now: shown only once`} className="vm-alert">
            <Trans>It grants your permissions. If it is lost, revoke it and create a new one.</Trans>
          </Alert>
          <Copy text={token} label={t`Copy the token`} />
          <p className="vm-quiet">
            <Trans>
              Programs send it with each request as <code>Authorization: Bearer …</code>
            </Trans>
          </p>
        </div>
      </ModalBody>
      <ModalFooter>
        <Button onClick={onClose}>
          <Trans>I have copied it</Trans>
        </Button>
      </ModalFooter>
    </Modal>
  );
}

/** One's own bearer tokens: for programs that act with one's rights. */
export function Tokens() {
  const client = useQueryClient();
  const { data, error } = useQuery(peopleQueries.apiTokens());
  const [asking, setAsking] = useState<{ expiresAt: string }>();
  const [revoking, setRevoking] = useState<ApiToken>();
  const [issued, setIssued] = useState<IssuedToken>();
  const refresh = () => void client.invalidateQueries({ queryKey: peopleKeys.apiTokens });
  return (
    <Panel
      title={t`API tokens`}
      {...(data ? { count: data.length } : {})}
      actions={
        <Button
          variant="secondary"
          onClick={() => setAsking({ expiresAt: new Date(Date.now() + MONTH_MS).toISOString() })}
        >
          <Trans>Create a token</Trans>
        </Button>
      }
    >
      {error && !data && <ProblemAlert error={error} />}
      {!error && !data && (
        <LoadingNote>
          <Trans>Loading the tokens…</Trans>
        </LoadingNote>
      )}
      {data?.length === 0 && (
        <p>
          <Trans>No tokens yet. A program uses a token to call the API with your permissions.</Trans>
        </p>
      )}
      {data && data.length > 0 && <TokenTable tokens={data} onRevoke={setRevoking} />}
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
      {issued && <Secret token={issued} onClose={() => setIssued(undefined)} />}
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
