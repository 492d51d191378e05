import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from "@patternfly/react-core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { peopleKeys, peopleQueries, userTokenRevoke, type ApiToken, type User } from "@/api/people";
import { RevokeDialog, TokenTable } from "@/features/account/TokenTable";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";

interface Props {
  user: User;
  onRevoke: (token: ApiToken) => void;
  onClose: () => void;
}

function TokenDialog({ user, onRevoke, onClose }: Props) {
  const id = useId();
  const { data, error } = useQuery(peopleQueries.userTokens(user.id));
  return (
    <Modal isOpen variant="large" onClose={onClose} aria-labelledby={id}>
      <ModalHeader title={t`API tokens of ${user.username}`} labelId={id} />
      <ModalBody>
        {error && !data && <ProblemAlert error={error} />}
        {!error && !data && (
          <LoadingNote>
            <Trans>Loading the tokens…</Trans>
          </LoadingNote>
        )}
        {data?.length === 0 && (
          <p>
            <Trans>No tokens.</Trans>
          </p>
        )}
        {data && data.length > 0 && <TokenTable tokens={data} onRevoke={onRevoke} />}
      </ModalBody>
      <ModalFooter>
        <Button variant="secondary" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </ModalFooter>
    </Modal>
  );
}

/** Opens the list of the user's API tokens, which an administrator may revoke. */
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
