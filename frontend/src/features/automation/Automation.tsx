import { useQuery } from "@tanstack/react-query";
import { q } from "@/api/queries";
import type { VnfInstance } from "@/api/types";
import { Records } from "@/records/Records";
import { AFTER } from "@/ui/listView";
import { useAddress } from "@/ui/address";
import { Decisions } from "./Decisions";
import { useAutomationKind } from "./policyRecords";

const POLICY = "policy";

/** The address holds the policy whose decisions are shown. */
export function Automation({ instance }: { instance?: VnfInstance }) {
  const [params, setAddress] = useAddress();
  const kind = useAutomationKind(instance, (id) => setAddress({ [POLICY]: id, [AFTER]: "" }));
  const { data: policies } = useQuery(q.automationPolicies());
  const shown = policies?.find(({ id }) => id === params.get(POLICY));
  return (
    <div className="vm-stack">
      <Records kind={kind} />
      {shown && <Decisions key={shown.id} policy={shown} instance={instance} />}
    </div>
  );
}
