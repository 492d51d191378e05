import { alarm } from "./db";
import { type Context } from "./http";
import { unitOf } from "./performance";
import { fresh, records } from "./records";
import type { Route } from "./routes";
import { now } from "./util";
import type * as T from "../src/api/types";

const SYSTEM = "(element)";
/** Every counter has this value at its last reading, in percent of its maximum. */
const LAST = 45;

const isOf = (rule: T.ThresholdRule) => (element: T.NetworkElement) =>
  element.id === rule.elementId ||
  element.kind === rule.elementKind ||
  (rule.vnfInstanceId !== null && element.vnfInstanceId === rule.vnfInstanceId);

const isBeyond = ({ direction, threshold }: T.ThresholdRule, value: number): boolean =>
  direction === "ABOVE" ? value >= threshold : value <= threshold;

/** The next reading of the counters, a second later, evaluates the rule. */
function evaluate({ db, later, emit }: Context, rule: T.ThresholdRule): void {
  later(1, () => {
    const elements = db.elements.filter(isOf(rule));
    const object = rule.object ?? (rule.unit === "%" && !rule.counter.startsWith("utilisation") ? SYSTEM : "1/1/1");
    const crossed = isBeyond(rule, LAST) ? elements : [];
    Object.assign(rule, {
      ...{ evaluatedAt: now(), evaluatedCounters: elements.length, state: crossed.length > 0 ? "CROSSED" : "WITHIN" },
      ...{ crossedCount: crossed.length, crossings: rule.crossings + crossed.length },
      crossedAt: crossed.length > 0 ? now() : rule.crossedAt,
      crossedCounters: crossed.map(({ id, name }) => ({
        ...{ elementId: id, elementName: name, object, since: now() },
        ...{ value: LAST, latestValue: LAST, noValueSince: null },
      })),
    });
    for (const element of crossed) {
      const raised = alarm(element, {
        ...{ managedObjectType: "NETWORK_ELEMENT", faultType: "ThresholdCrossed", perceivedSeverity: rule.severity },
        ...{ eventType: "QOS_ALARM", probableCause: "thresholdCrossed", clearableByHand: true },
        faultyResource: `${element.id}:counter:${rule.counter}:${rule.id}:${object}`,
        faultyResourceName: `${element.name} ${object === SYSTEM ? "" : `${object} `}${rule.counter}`,
        faultDetails: [`measured=${LAST} ${rule.unit}`, `threshold=above ${rule.threshold} ${rule.unit}`],
        ...{ alarmRaisedTime: now(), firstRaisedTime: now() },
      });
      db.alarms.unshift(raised);
      emit("alarm.changed", raised.id, 1);
    }
    emit("threshold_rule.crossed", rule.id, rule.version);
  });
}

function withdraw({ db, emit }: Context, { id }: T.ThresholdRule): void {
  for (const raised of db.alarms.filter((each) => each.faultyResource.includes(`:${id}:`))) {
    Object.assign(raised, { alarmClearedTime: now(), clearedBy: "admin" });
    emit("alarm.changed", raised.id, 2);
  }
}

function makeRule(context: Context, input: T.ThresholdRuleInput): T.ThresholdRule {
  const { db } = context;
  const { elementId = null, vnfInstanceId = null, elementKind = null, object = null, ...same } = input;
  const rule: T.ThresholdRule = {
    ...{ ...fresh(), createdBy: "admin", changedAt: now(), changedBy: "admin" },
    ...{ elementId, vnfInstanceId, elementKind, object, ...same, unit: unitOf(input.counter) },
    elementName: db.elements.find(({ id }) => id === elementId)?.name ?? null,
    vnfInstanceName: db.instances.find(({ id }) => id === vnfInstanceId)?.name ?? null,
    ...{ state: "UNKNOWN", crossedCount: 0, crossedCounters: [], unrecordedCount: 0, crossings: 0 },
    ...{ crossedAt: null, evaluatedAt: null, evaluatedCounters: 0, unvaluedCount: 0, unvaluedSince: null },
  };
  evaluate(context, rule);
  return rule;
}

export const thresholdRules: Route[] = records<T.ThresholdRule>("threshold_rules", {
  rows: ({ db }) => db.thresholdRules,
  topic: "threshold_rule.changed",
  make: (input, context) => makeRule(context, input as unknown as T.ThresholdRuleInput),
  refuse: ({ direction, threshold, clearValue }) =>
    direction !== undefined &&
    (direction === "BELOW" ? Number(clearValue) < Number(threshold) : Number(clearValue) > Number(threshold))
      ? ["/clearValue", "The clear value must not be beyond the threshold."]
      : undefined,
  removed: withdraw,
});
