import { t } from "@lingui/core/macro";
import UsersIcon from "@patternfly/react-icons/dist/esm/icons/users-icon";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useContext, useState } from "react";
import {
  peopleKeys,
  peopleQueries,
  userCreate,
  userUpdate,
  type User,
  type UserInput,
  type UserRole,
} from "@/api/people";
import { keys } from "@/api/keys";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { Records, type RecordKind } from "@/records/Records";
import { ChangeButton } from "@/ui/ActionButton";
import { SessionContext } from "@/ui/rights";
import { ROLE_NAME } from "@/ui/names";
import { MAY_LOG_IN } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago, ExactTime } from "@/ui/Time";
import { RequireRole } from "@/ui/RequireRole";
import { UserTokens } from "./UserTokens";

const MEANING: Record<UserRole, string> = {
  viewer: t`reads everything, changes nothing`,
  operator: t`operates VNF instances and network elements, handles alarms`,
  admin: t`operator, and manages users, clouds and policies`,
};
const ROLES = Object.entries(MEANING).map(
  ([role, meaning]) => [role, `${ROLE_NAME[role as UserRole]}: ${meaning}`] as const,
);
const OWN = t`Only another administrator can do this to your account.`;

function Access({ user, isMe, onDone }: { user: User; isMe: boolean; onDone: () => void }) {
  const [asking, setAsking] = useState(false);
  const word = user.isActive ? t`Disable` : t`Enable`;
  const named = user.isActive ? t`Disable ${user.username}` : t`Enable ${user.username}`;
  const end = () => {
    setAsking(false);
    onDone();
  };
  return (
    <>
      <ChangeButton
        needs="admin"
        whyNot={isMe ? OWN : undefined}
        variant="secondary"
        size="sm"
        isDanger={user.isActive}
        aria-label={named}
        onClick={() => setAsking(true)}
      >
        {word}
      </ChangeButton>
      {asking && (
        <ConfirmDialog
          title={named}
          button={word}
          danger={user.isActive}
          run={() => userUpdate(user.id, { isActive: !user.isActive }, user.version)}
          onDone={end}
          onClose={end}
        >
          {user.isActive
            ? t`The user's sessions end, and the API tokens are revoked. Enabling the user restores neither.`
            : t`The user can log in again.`}
        </ConfirmDialog>
      )}
    </>
  );
}

function UserRecords() {
  const client = useQueryClient();
  const me = useContext(SessionContext)?.username;
  const refresh = () => void client.invalidateQueries({ queryKey: peopleKeys.users });
  const kind: RecordKind<User> = {
    toAdd: t`Add a user`,
    noneYet: t`No users yet`,
    isGone: t`This user no longer exists`,
    many: t`Users`,
    name: "users",
    nameOf: ({ username }) => username,
    needs: "admin",
    lead: t`Who can log in, and with which role. Users are disabled, never deleted, so that the audit trail keeps their names.`,
    icon: UsersIcon,
    empty: t`Create one user per person, so that the audit trail shows who did what.`,
    useList: () => useQuery(peopleQueries.users()),
    queryKey: peopleKeys.users,
    columns: [
      {
        title: t`User`,
        isName: true,
        sort: ({ username }) => username,
        cell: ({ username, displayName }) => (
          <>
            {username === me ? t`${username} (you)` : username}
            {displayName && <div className="vm-quiet vm-normal">{displayName}</div>}
          </>
        ),
      },
      { title: t`Role`, sort: ({ role }) => role, cell: ({ role }) => ROLE_NAME[role] },
      {
        title: t`State`,
        sort: ({ isActive }) => Number(!isActive),
        cell: ({ isActive }) => <StateLabel look={isActive ? MAY_LOG_IN.yes : MAY_LOG_IN.no} />,
      },
      {
        title: t`Last login`,
        sort: ({ lastLogin }) => lastLogin ?? "",
        cell: ({ lastLogin }) => (lastLogin ? <Ago at={lastLogin} /> : t`never`),
      },
      { title: t`Added`, sort: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <ExactTime at={createdAt} /> },
    ],
    fields: (row) => [
      {
        ...{ kind: "text", name: "username", label: t`User name`, required: true, once: true },
        help: t`Letters, digits and . _ @ + - without spaces.`,
      },
      { kind: "text", name: "displayName", label: t`Full name` },
      { kind: "select", name: "role", label: t`Role`, options: ROLES },
      {
        ...{ kind: "secret", name: "password", label: row ? t`New password` : t`Password`, required: !row },
        when: () => row?.username !== me,
        help: row
          ? t`Empty: unchanged. A new password ends the user's sessions and revokes the API tokens.`
          : t`At least 10 characters. The user should change it under My account.`,
      },
    ],
    fresh: { role: "viewer" },
    create: (input) => userCreate(input as unknown as UserInput),
    update: async ({ id, version, username }, input) => {
      const saved = await userUpdate(id, input, version);
      if (username === me) void client.invalidateQueries({ queryKey: keys.session });
      return saved;
    },
    actions: (row) => (
      <>
        <UserTokens user={row} />
        <Access user={row} isMe={row.username === me} onDone={refresh} />
      </>
    ),
  };
  return <Records kind={kind} />;
}

export function Users() {
  return (
    <RequireRole title={t`Administrators only: users`} needs="admin">
      <UserRecords />
    </RequireRole>
  );
}
