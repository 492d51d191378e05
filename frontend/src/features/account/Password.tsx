import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { passwordChange, peopleKeys } from "@/api/people";
import { ProblemError } from "@/api/problem";
import type { FieldSpec } from "@/records/fields";
import { RecordDialog } from "@/records/RecordDialog";
import { Panel } from "@/ui/Panel";
import { useToast } from "@/ui/toasts";
import { Button } from "@patternfly/react-core";

const FIELDS: readonly FieldSpec[] = [
  { kind: "secret", name: "presentPassword", label: t`Current password`, required: true, isPresent: true },
  { kind: "secret", name: "password", label: t`New password`, required: true, help: t`At least 10 characters.` },
  { kind: "secret", name: "again", label: t`Repeat the new password`, required: true },
];

function change({ presentPassword, password, again }: Record<string, unknown>): Promise<unknown> {
  if (password === again)
    return passwordChange({ presentPassword: String(presentPassword), password: String(password) });
  const message = t`The two passwords differ.`;
  const detail = t`Type the new password twice, so that a typo does not lock you out.`;
  const title = t`The two new passwords differ`;
  return Promise.reject(new ProblemError({ status: 422, title, detail, errors: [{ field: "/again", message }] }));
}

export function Password() {
  const client = useQueryClient();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  return (
    <Panel
      title={t`Password`}
      actions={
        <Button variant="secondary" onClick={() => setAsking(true)}>
          <Trans>Change the password</Trans>
        </Button>
      }
    >
      <p>
        <Trans>A new password ends your other sessions and revokes your API tokens. This session continues.</Trans>
      </p>
      {asking && (
        <RecordDialog
          title={t`Change the password`}
          button={t`Change`}
          lead={t`Your other sessions have ended and your API tokens are revoked.`}
          fields={FIELDS}
          initial={{}}
          isNew
          save={change}
          onSaved={() => {
            setAsking(false);
            toast({ variant: "success", title: t`Password changed` });
            void client.invalidateQueries({ queryKey: peopleKeys.apiTokens });
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}
