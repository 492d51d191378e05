import { plural, t } from "@lingui/core/macro";
import { Td, Tr } from "@patternfly/react-table";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { asProblem } from "@/api/problem";
import { q } from "@/api/queries";
import type { VnfInstanceSummary } from "@/api/types";
import { usePlan } from "@/features/plans/usePlan";
import { outcomeOf, whyLeftOut, type BulkOperation, type BulkRequest, type Outcome } from "./bulkPlan";

interface Props {
  summary: VnfInstanceSummary;
  operation: BulkOperation;
  /** Undefined while the choices are incomplete. */
  request: BulkRequest | undefined;
  /** Only a few rows plan at the same time. */
  active: boolean;
  onOutcome: (id: string, outcome: Outcome | undefined) => void;
}

function useOutcome({ summary, operation, request, active }: Props): Outcome | undefined {
  const read = useQuery({ ...q.vnfInstance(summary.id), enabled: active });
  const instance = read.data;
  const whyNot = instance && whyLeftOut(operation, instance);
  const input =
    active && instance && request && whyNot === undefined
      ? { operation, vnfInstanceId: summary.id, request }
      : undefined;
  const { plan, error } = usePlan(input, instance?.version);
  const failure = read.error ?? error;
  return useMemo(() => {
    if (failure) return { ready: false, why: asProblem(failure).detail };
    if (whyNot !== undefined) return { ready: false, why: whyNot };
    return instance && plan ? outcomeOf(instance, plan) : undefined;
  }, [failure, whyNot, instance, plan]);
}

const MOST_NAMES = 6;
function deletedText(outcome: Outcome): string {
  if (!outcome.ready) return "—";
  const { deleted, others } = outcome;
  const more = deleted.length - MOST_NAMES;
  const rest = others + Math.max(0, more);
  const names = deleted.slice(0, MOST_NAMES).join(", ");
  if (rest === 0) return names || t`nothing`;
  const restText = plural(rest, { one: "# more resource", other: "# more resources" });
  return names ? t`${names} and ${restText}` : restText;
}

/** Shows the plan of one instance, or why it is left out. */
export function BulkPlanRow(props: Props) {
  const { summary, request, onOutcome } = props;
  const outcome = useOutcome(props);
  useEffect(() => onOutcome(summary.id, outcome), [onOutcome, summary.id, outcome]);
  const state = !request
    ? "—"
    : !outcome
      ? t`Planning…`
      : outcome.ready
        ? t`Ready: ${plural(outcome.steps, { one: "# step", other: "# steps" })}`
        : t`Left out: ${outcome.why}`;
  return (
    <Tr>
      <Td dataLabel={t`VNF instance`}>{summary.name}</Td>
      <Td dataLabel={t`Plan`}>{state}</Td>
      <Td dataLabel={t`Deleted or replaced`}>{outcome ? deletedText(outcome) : "—"}</Td>
    </Tr>
  );
}
