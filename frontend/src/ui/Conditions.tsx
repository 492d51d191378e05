import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { Condition } from "@/api/types";
import { StateLabel } from "./StateLabel";
import { conditionLook } from "./states";
import { exactTime } from "./format";
import { Ago, Since } from "./Time";

/** An Unknown condition is shown as such and never as the last known value. */
export function ConditionItem({ condition }: { condition: Condition }) {
  return (
    <div className="vm-condition" title={`${condition.reason}: ${condition.message}`}>
      <span>
        <StateLabel look={conditionLook(condition)} />
      </span>
      <span className="vm-condition-text">
        {condition.message && <span>{condition.message} </span>}
        <span className="vm-quiet">
          <Trans>
            since <Since at={condition.lastTransitionTime} />
          </Trans>
          {condition.observedAt && (
            <>
              {" "}
              <Trans>
                · observed <Ago at={condition.observedAt} />
              </Trans>
            </>
          )}
        </span>
      </span>
    </div>
  );
}

export function ConditionList({
  conditions,
  label = t`Conditions`,
}: {
  conditions: readonly Condition[];
  label?: string;
}) {
  return (
    <ul className="vm-conditions" aria-label={label}>
      {conditions.map((condition) => (
        <li key={condition.type}>
          <ConditionItem condition={condition} />
        </li>
      ))}
    </ul>
  );
}

interface BadgeProps {
  condition: Condition;
  /** A list shows the word only. */
  isShort?: boolean;
}
/** Shows since when only for a bad condition; the rest is in the tooltip and on the object's own page. */
export function ConditionBadge({ condition, isShort = false }: BadgeProps) {
  return (
    <span title={`${condition.reason}: ${condition.message} (${exactTime(condition.lastTransitionTime)})`}>
      <StateLabel look={conditionLook(condition)} />
      {!isShort && condition.status !== "True" && condition.type !== "Progressing" && (
        <span className="vm-quiet">
          {" "}
          <Trans>
            since <Since at={condition.lastTransitionTime} />
          </Trans>
        </span>
      )}
    </span>
  );
}

/** A running operation and an instance that was never instantiated explain these conditions elsewhere. */
const OPERATION_REASONS: ReadonlySet<string> = new Set(["OperationRunning", "NotInstantiated", "NoVim"]);
const countsAsCondition = ({ type, reason }: Condition): boolean =>
  type !== "Progressing" && !OPERATION_REASONS.has(reason);
const isBad = (condition: Condition): boolean => countsAsCondition(condition) && condition.status !== "True";

/** Progressing has a panel of its own, and the states of its VMs imply that a VNF's cloud is reachable. */
export function GoodConditions({ conditions }: { conditions: readonly Condition[] }) {
  return conditions
    .filter((each) => countsAsCondition(each) && !isBad(each) && each.type !== "VimReachable")
    .map((each) => <ConditionBadge key={each.type} condition={each} />);
}

export function BadConditions({ conditions }: { conditions: readonly Condition[] }) {
  const bad = conditions.filter(isBad);
  return bad.length > 0 ? <ConditionList conditions={bad} /> : null;
}

export const conditionOf = (conditions: readonly Condition[], type: string): Condition | undefined =>
  conditions.find((each) => each.type === type);
