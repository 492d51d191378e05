import { useContext } from "react";
import { Password } from "@/account/Password";
import { Tokens } from "@/account/Tokens";
import { Facts, type Fact } from "@/ui/Facts";
import { ROLE_NAME } from "@/ui/names";
import { Panel } from "@/ui/Panel";
import { WhoContext } from "@/ui/rights";
import { Screen } from "@/ui/Screen";

const ASCENDING = ["viewer", "operator", "admin"] as const;

/** Who is logged in, and what each may change of that alone. */
export function Component() {
  const who = useContext(WhoContext);
  const role = ASCENDING.findLast((each) => who?.roles.includes(each)) ?? "viewer";
  const facts: Fact[] = [
    ["User name", who?.username],
    ["Full name", who?.displayName || "—"],
    ["Role", ROLE_NAME[role]],
  ];
  return (
    <Screen title="My account" lead="Your password, and the tokens of programs that act for you.">
      <div className="vm-stack">
        <Panel title="User">
          <Facts facts={facts} />
          <p className="vm-quiet">An administrator can change these.</p>
        </Panel>
        <Password />
        <Tokens />
      </div>
    </Screen>
  );
}
