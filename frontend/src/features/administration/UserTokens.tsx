import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { peopleKeys, peopleQueries, userTokenRevoke, type ApiToken, type User } from "@/api/people";
import { RevokeDialog, TokenTable } from "@/features/account/TokenTable";
import { ListDialog } from "@/ui/ListDialog";
import { LoadedRows } from "@/ui/LoadedRows";

interface Props {
  user: User;
  onRevoke: (token: ApiToken) => void;
  onClose: () => void;
}

function TokenDialog({ user, onRevoke, onClose }: Props) {
  const query = useQuery(peopleQueries.userTokens(user.id));
  return (
    <ListDialog title={t`API tokens of ${user.username}`} onClose={onClose}>
      <LoadedRows query={query} loading={t`Loading the tokens…`} none={<p>{t`No tokens.`}</p>}>
        {(tokens) => <TokenTable tokens={tokens} onRevoke={onRevoke} />}
      </LoadedRows>
    </ListDialog>
  );
}

/** An administrator may revoke tokens of any user. */
export function UserTokens({ user }: { user: User }) {
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const [revoking, setRevoking] = useState<ApiToken>();
  const close = () => {
    setRevoking(undefined);
    void client.invalidateQueries({ queryKey: peopleKeys.userTokens(user.id) });
  };
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        aria-label={t`API tokens of ${user.username}`}
        onClick={() => setOpen(true)}
      >
        <Trans>Tokens</Trans>
      </Button>
      {open && !revoking && <TokenDialog user={user} onRevoke={setRevoking} onClose={() => setOpen(false)} />}
      {revoking && <RevokeDialog token={revoking} revoke={({ id }) => userTokenRevoke(user.id, id)} onClose={close} />}
    </>
  );
}
