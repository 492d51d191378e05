import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useContext } from "react";
import { Password } from "@/features/account/Password";
import { Tokens } from "@/features/account/Tokens";
import { Facts, type Fact } from "@/ui/Facts";
import { ROLE_NAME } from "@/ui/names";
import { Panel } from "@/ui/Panel";
import { SessionContext } from "@/ui/rights";
import { Screen } from "@/ui/Screen";

const ASCENDING = ["viewer", "operator", "admin"] as const;

function AccountPage() {
  const who = useContext(SessionContext);
  const role = ASCENDING.findLast((each) => who?.roles.includes(each)) ?? "viewer";
  const facts: Fact[] = [
    [t`User name`, who?.username],
    [t`Full name`, who?.displayName || "—"],
    [t`Role`, ROLE_NAME[role]],
  ];
  return (
    <Screen title={t`My account`}>
      <div className="vm-stack">
        <Panel title={t`User`}>
          <Facts facts={facts} />
          <p className="vm-quiet">
            <Trans>An administrator can change these.</Trans>
          </p>
        </Panel>
        <Password />
        <Tokens />
      </div>
    </Screen>
  );
}

export { AccountPage as Component };
