import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { Condition } from "@/api/types";
import { StateLabel } from "./StateLabel";
import { conditionLook } from "./states";
import { exactTime } from "./format";
import { Ago, Since } from "./Time";

/** A condition with its reason and since when; Unknown is said, never painted over with the last green. */
export function ConditionItem({ condition }: { condition: Condition }) {
  return (
    <div className="vm-condition" title={condition.reason}>
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
  /** In a list: the word alone. */
  isShort?: boolean;
}
/** Only the word, and since when where it is not as it should be; the rest on hover, and on the object's own page. */
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

/** An operation that runs says itself what becomes of the object, and what was never instantiated has no condition yet. */
const OPERATION_REASONS: ReadonlySet<string> = new Set(["OperationRunning", "NotInstantiated", "NoVim"]);
const countsAsCondition = ({ type, reason }: Condition): boolean =>
  type !== "Progressing" && !OPERATION_REASONS.has(reason);
const isBad = (condition: Condition): boolean => countsAsCondition(condition) && condition.status !== "True";

/**
 * What is as it should be, as words next to a title. What is in progress is a panel of its own; that a VNF's cloud is
 * reachable follows from what is known of its VMs.
 */
export function GoodConditions({ conditions }: { conditions: readonly Condition[] }) {
  return conditions
    .filter((each) => countsAsCondition(each) && !isBad(each) && each.type !== "VimReachable")
    .map((each) => <ConditionBadge key={each.type} condition={each} />);
}

/** What is not as it should be, with its reason, a line each. */
export function BadConditions({ conditions }: { conditions: readonly Condition[] }) {
  const bad = conditions.filter(isBad);
  return bad.length > 0 ? <ConditionList conditions={bad} /> : null;
}

export const conditionOf = (conditions: readonly Condition[], type: string): Condition | undefined =>
  conditions.find((each) => each.type === type);
