import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import KeyIcon from "@patternfly/react-icons/dist/esm/icons/key-icon";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  apiClientCreate,
  apiClientRenew,
  apiClientUpdate,
  peopleKeys,
  peopleQueries,
  type ApiClient,
  type ApiClientInput,
  type IssuedApiClient,
  type UserRole,
} from "@/api/people";
import { Records, type RecordKind } from "@/records/Records";
import { ChangeButton } from "@/ui/ActionButton";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { IssuedSecret } from "@/ui/IssuedSecret";
import { ROLE_NAME } from "@/ui/names";
import { RequireRole } from "@/ui/RequireRole";
import { MAY_LOG_IN } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago, ExactTime } from "@/ui/Time";

const ROLES = Object.entries(ROLE_NAME) as [UserRole, string][];

interface ActionsProps {
  client: ApiClient;
  onDone: () => void;
  onIssued: (issued: IssuedApiClient) => void;
}

function Actions({ client, onDone, onIssued }: ActionsProps) {
  const [asking, setAsking] = useState<"secret" | "access">();
  const { clientId, isActive } = client;
  const word = isActive ? t`Revoke` : t`Enable`;
  const named = isActive ? t`Revoke ${clientId}` : t`Enable ${clientId}`;
  const end = () => setAsking(undefined);
  return (
    <>
      <ChangeButton
        needs="admin"
        variant="secondary"
        size="sm"
        aria-label={t`New secret for ${clientId}`}
        onClick={() => setAsking("secret")}
      >
        <Trans>New secret</Trans>
      </ChangeButton>
      <ChangeButton
        needs="admin"
        variant="secondary"
        size="sm"
        isDanger={isActive}
        aria-label={named}
        onClick={() => setAsking("access")}
      >
        {word}
      </ChangeButton>
      {asking === "secret" && (
        <ConfirmDialog
          title={t`New secret for ${clientId}`}
          button={t`Make a new secret`}
          danger
          run={() => apiClientRenew(client.id).then(onIssued)}
          onDone={() => {
            end();
            onDone();
          }}
          onClose={end}
        >
          {t`The old secret and the tokens made with it are no longer accepted.`}
        </ConfirmDialog>
      )}
      {asking === "access" && (
        <ConfirmDialog
          title={named}
          button={word}
          danger={isActive}
          run={() => apiClientUpdate(client.id, { isActive: !isActive }, client.version)}
          onDone={() => {
            end();
            onDone();
          }}
          onClose={end}
        >
          {isActive
            ? t`The client can no longer log in, and its tokens end.`
            : t`The client can log in again, with the same secret.`}
        </ConfirmDialog>
      )}
    </>
  );
}

function ApiClientRecords() {
  const client = useQueryClient();
  const [issued, setIssued] = useState<IssuedApiClient>();
  const refresh = () => void client.invalidateQueries({ queryKey: peopleKeys.apiClients });
  const kind: RecordKind<ApiClient> = {
    toAdd: t`Add an API client`,
    noneYet: t`No API clients yet`,
    isGone: t`This API client no longer exists`,
    many: t`API clients`,
    name: "api_clients",
    nameOf: ({ clientId }) => clientId,
    needs: "admin",
    lead: t`NFVOs and other programs that log in by OAuth 2.0 client credentials, HTTP Basic or a TLS client certificate. They are revoked, never deleted, so that the audit trail keeps their names.`,
    icon: KeyIcon,
    empty: t`Create one client per program. Its secret is shown once.`,
    useList: () => useQuery(peopleQueries.apiClients()),
    queryKey: peopleKeys.apiClients,
    columns: [
      {
        title: t`Client id`,
        isName: true,
        sort: ({ clientId }) => clientId,
        cell: ({ clientId, displayName }) => (
          <>
            {clientId}
            {displayName && <div className="vm-quiet vm-normal">{displayName}</div>}
          </>
        ),
      },
      { title: t`Role`, sort: ({ role }) => role, cell: ({ role }) => ROLE_NAME[role] },
      {
        title: t`Logs in by`,
        cell: ({ certificateFingerprint }) => (certificateFingerprint ? t`secret or certificate` : t`secret`),
      },
      {
        title: t`State`,
        sort: ({ isActive }) => Number(!isActive),
        cell: ({ isActive }) => <StateLabel look={isActive ? MAY_LOG_IN.yes : MAY_LOG_IN.no} />,
      },
      {
        title: t`Last login`,
        sort: ({ lastUsedAt }) => lastUsedAt ?? "",
        cell: ({ lastUsedAt }) => (lastUsedAt ? <Ago at={lastUsedAt} /> : t`never`),
      },
      { title: t`Added`, sort: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <ExactTime at={createdAt} /> },
    ],
    fields: (row) => [
      {
        ...{ kind: "text", name: "clientId", label: t`Client id`, required: true, once: true },
        help: t`Letters, digits and . _ @ + - without spaces.`,
      },
      { kind: "text", name: "displayName", label: t`Description` },
      { kind: "select", name: "role", label: t`Role`, options: ROLES },
      {
        ...{ kind: "text", name: "certificateFingerprint", label: t`Certificate` },
        help: t`SHA-256 of its TLS client certificate. Empty: it logs in by its secret alone.`,
        when: () => row !== undefined,
      },
    ],
    fresh: { role: "operator" },
    create: async (input) => {
      const made = await apiClientCreate(input as unknown as ApiClientInput);
      setIssued(made);
      return made;
    },
    update: ({ id, version }, input) => apiClientUpdate(id, input, version),
    actions: (row) => <Actions client={row} onDone={refresh} onIssued={setIssued} />,
  };
  return (
    <>
      <Records kind={kind} />
      {issued && (
        <IssuedSecret
          title={t`Secret of ${issued.clientId}`}
          secret={issued.secret}
          copy={t`Copy the secret`}
          lost={t`If it is lost, make a new one.`}
          use={
            <Trans>
              The client gets a token at <code>/oauth/token</code> with its id and this secret (OAuth 2.0 client
              credentials), or sends both with each request (HTTP Basic).
            </Trans>
          }
          onClose={() => setIssued(undefined)}
        />
      )}
    </>
  );
}

export function ApiClients() {
  return (
    <RequireRole title={t`Administrators only: API clients`} needs="admin">
      <ApiClientRecords />
    </RequireRole>
  );
}
