import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { q } from "@/api/queries";
import type { VnfInstance } from "@/api/types";
import { Records } from "@/records/Records";
import { Decisions } from "./Decisions";
import { useAutomationKind } from "./kind";

const SHOWN = "policy";

/** Policies, of all VNFs or of one instance, and the decisions of the one that was chosen; the address holds which. */
export function Automation({ instance }: { instance?: VnfInstance }) {
  const [params, setParams] = useSearchParams();
  const kind = useAutomationKind(instance, (id) =>
    setParams(
      (before) => {
        before.set(SHOWN, id);
        before.delete("after");
        return before;
      },
      { replace: true, preventScrollReset: true },
    ),
  );
  const { data: policies } = useQuery(q.automationPolicies());
  const shown = policies?.find(({ id }) => id === params.get(SHOWN));
  return (
    <div className="vm-stack">
      <Records kind={kind} />
      {shown && <Decisions key={shown.id} policy={shown} instance={instance} />}
    </div>
  );
}
