import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import type { ApiToken } from "@/api/people";
import { DataTable, type Column } from "@/table/DataTable";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { Ago, ExactTime } from "@/ui/Time";

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

interface Props {
  tokens: readonly ApiToken[];
  onRevoke: (token: ApiToken) => void;
}

export function TokenTable({ tokens, onRevoke }: Props) {
  const columns: Column<ApiToken>[] = [
    { title: t`Name`, isName: true, sort: ({ name }) => name, cell: ({ name }) => name, width: 30 },
    { title: t`Created`, sort: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <ExactTime at={createdAt} /> },
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
          onClick={() => onRevoke(token)}
        >
          <Trans>Revoke</Trans>
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      label={t`API tokens`}
      rows={tokens}
      columns={columns}
      rowKey={({ id }) => id}
      initialSort={{ column: 0, direction: "asc" }}
    />
  );
}

interface RevokeProps {
  token: ApiToken;
  revoke: (token: ApiToken) => Promise<unknown>;
  onClose: () => void;
}

/** `onClose` is also called after the token was revoked. */
export function RevokeDialog({ token, revoke, onClose }: RevokeProps) {
  return (
    <ConfirmDialog
      title={t`Revoke ${token.name}`}
      button={t`Revoke`}
      run={() => revoke(token)}
      onDone={onClose}
      onClose={onClose}
    >
      <Trans>
        The next request with this token, or with a token that was made with it, is refused. This cannot be undone.
      </Trans>
    </ConfirmDialog>
  );
}
