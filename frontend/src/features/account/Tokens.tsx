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
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import type { FieldSpec } from "@/records/fields";
import { RecordDialog } from "@/records/RecordDialog";
import { DataTable, type Column } from "@/table/DataTable";
import { Copy } from "@/ui/Copy";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { Ago, ExactTime } from "@/ui/Time";

const MONTH_MS = 30 * 86_400_000;
const FIELDS: readonly FieldSpec[] = [
  { kind: "text", name: "name", label: t`Name`, required: true, help: t`What uses it, such as the name of a program.` },
  { kind: "time", name: "expiresAt", label: t`Expires`, help: t`Empty: it holds until somebody revokes it.` },
];

const isOver = (at: string): boolean => Date.parse(at) <= Date.now();

function Expiry({ at }: { at: string | null | undefined }) {
  if (!at)
    return (
      <>
        <Trans>never</Trans>
      </>
    );
  if (!isOver(at)) return <ExactTime at={at} />;
  return (
    <span className="vm-error-text">
      <Trans>
        expired <Ago at={at} />
      </Trans>
    </span>
  );
}

/** The secret of a new token, which nobody can show again. */
function Secret({ token: { name, token }, onClose }: { token: IssuedToken; onClose: () => void }) {
  const id = useId();
  return (
    <Modal isOpen variant="medium" onClose={onClose} aria-labelledby={id}>
      <ModalHeader title={t`The token ${name}`} labelId={id} />
      <ModalBody>
        <div className="vm-stack">
          <Alert
            isInline
            variant="warning"
            component="h3"
            title={t`Copy it now: it is not shown again`}
            className="vm-alert"
          >
            <Trans>Whoever has it has your rights. If it is lost, revoke it and make another one.</Trans>
          </Alert>
          <Copy text={token} label={t`Copy the token`} />
          <p className="vm-quiet">
            <Trans>
              Programs send it with every request, as <code>Authorization: Bearer …</code>
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
  const [issued, setIssued] = useState<IssuedToken>();
  const [revoking, setRevoking] = useState<ApiToken>();
  const refresh = () => void client.invalidateQueries({ queryKey: peopleKeys.apiTokens });
  const columns: Column<ApiToken>[] = [
    { title: t`Name`, isName: true, sort: ({ name }) => name, cell: ({ name }) => name, width: 30 },
    { title: t`Made`, sort: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <ExactTime at={createdAt} /> },
    {
      title: t`Expires`,
      sort: ({ expiresAt }) => expiresAt ?? "~",
      cell: ({ expiresAt }) => <Expiry at={expiresAt} />,
    },
    {
      title: t`Last used`,
      sort: ({ lastUsedAt }) => lastUsedAt ?? "",
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Ago at={lastUsedAt} /> : t`never`),
    },
    {
      title: t`Actions`,
      cell: (token) => (
        <Button
          variant="secondary"
          size="sm"
          isDanger
          aria-label={t`Revoke ${token.name}`}
          onClick={() => setRevoking(token)}
        >
          <Trans>Revoke</Trans>
        </Button>
      ),
    },
  ];
  const close = () => {
    setRevoking(undefined);
    refresh();
  };
  return (
    <Panel
      title={t`API tokens`}
      {...(data ? { count: data.length } : {})}
      actions={
        <Button
          variant="secondary"
          onClick={() => setAsking({ expiresAt: new Date(Date.now() + MONTH_MS).toISOString() })}
        >
          <Trans>Make a token</Trans>
        </Button>
      }
    >
      {error && !data && <ProblemAlert error={error} />}
      {!error && !data && (
        <LoadingNote>
          <Trans>Reading the tokens…</Trans>
        </LoadingNote>
      )}
      {data?.length === 0 && (
        <p>
          <Trans>No token yet. A program that calls the API logs in with one, and has your rights.</Trans>
        </p>
      )}
      {data && data.length > 0 && (
        <DataTable
          label={t`API tokens`}
          rows={data}
          columns={columns}
          rowKey={({ id }) => id}
          initialSort={{ column: 0, direction: "asc" }}
        />
      )}
      {asking && (
        <RecordDialog
          title={t`Make a token`}
          button={t`Make`}
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
        <ConfirmDialog
          title={t`Revoke ${revoking.name}`}
          button={t`Revoke`}
          run={() => apiTokenRevoke(revoking.id)}
          onDone={close}
          onClose={close}
        >
          <Trans>What uses it is refused from the next request on. This cannot be taken back.</Trans>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
