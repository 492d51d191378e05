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
import { ConfirmDialog } from "@/forms/confirm";
import type { FieldSpec } from "@/records/fields";
import { RecordDialog } from "@/records/RecordDialog";
import { DataTable, type Column } from "@/table/DataTable";
import { Copy } from "@/ui/Copy";
import { Panel } from "@/ui/Panel";
import { Pending } from "@/ui/Pending";
import { ProblemAlert } from "@/ui/Problem";
import { Ago, At } from "@/ui/Time";

const MONTH_MS = 30 * 86_400_000;
const FIELDS: readonly FieldSpec[] = [
  { kind: "text", name: "name", label: "Name", required: true, help: "What uses it, such as the name of a program." },
  { kind: "time", name: "expiresAt", label: "Expires", help: "Empty: it holds until somebody revokes it." },
];

const isOver = (at: string): boolean => Date.parse(at) <= Date.now();

function Expiry({ at }: { at: string | null | undefined }) {
  if (!at) return <>never</>;
  if (!isOver(at)) return <At at={at} />;
  return (
    <span className="vm-error-text">
      expired <Ago at={at} />
    </span>
  );
}

/** The secret of a new token, which nobody can show again. */
function Secret({ token: { name, token }, onClose }: { token: IssuedToken; onClose: () => void }) {
  const id = useId();
  return (
    <Modal isOpen variant="medium" onClose={onClose} aria-labelledby={id}>
      <ModalHeader title={`The token ${name}`} labelId={id} />
      <ModalBody>
        <div className="vm-stack">
          <Alert
            isInline
            variant="warning"
            component="h3"
            title="Copy it now: it is not shown again"
            className="vm-alert"
          >
            Whoever has it has your rights. If it is lost, revoke it and make another one.
          </Alert>
          <Copy text={token} what="token" />
          <p className="vm-quiet">
            Programs send it with every request, as <code>Authorization: Bearer …</code>
          </p>
        </div>
      </ModalBody>
      <ModalFooter>
        <Button onClick={onClose}>I have copied it</Button>
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
    { title: "Name", isName: true, sort: ({ name }) => name, cell: ({ name }) => name, width: 30 },
    { title: "Made", sort: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <At at={createdAt} /> },
    { title: "Expires", sort: ({ expiresAt }) => expiresAt ?? "~", cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
    {
      title: "Last used",
      sort: ({ lastUsedAt }) => lastUsedAt ?? "",
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Ago at={lastUsedAt} /> : "never"),
    },
    {
      title: "Actions",
      cell: (token) => (
        <Button
          variant="secondary"
          size="sm"
          isDanger
          aria-label={`Revoke ${token.name}`}
          onClick={() => setRevoking(token)}
        >
          Revoke
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
      title="API tokens"
      {...(data ? { count: data.length } : {})}
      actions={
        <Button
          variant="secondary"
          onClick={() => setAsking({ expiresAt: new Date(Date.now() + MONTH_MS).toISOString() })}
        >
          Make a token
        </Button>
      }
    >
      {error && !data && <ProblemAlert error={error} />}
      {!error && !data && <Pending>Reading the tokens…</Pending>}
      {data?.length === 0 && <p>No token yet. A program that calls the API logs in with one, and has your rights.</p>}
      {data && data.length > 0 && (
        <DataTable
          label="API tokens"
          rows={data}
          columns={columns}
          rowKey={({ id }) => id}
          initialSort={{ column: 0, direction: "asc" }}
        />
      )}
      {asking && (
        <RecordDialog
          title="Make a token"
          button="Make"
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
          title={`Revoke ${revoking.name}`}
          button="Revoke"
          run={() => apiTokenRevoke(revoking.id)}
          onDone={close}
          onClose={close}
        >
          What uses it is refused from the next request on. This cannot be taken back.
        </ConfirmDialog>
      )}
    </Panel>
  );
}
