/** Limits of traffic are in octet/s in the API and in Mbit/s in the console, as in its charts. */
import { all, api, data } from "./client";
import { changeHeaders } from "./http";
import type * as T from "./types";

const OCTETS_OF_MBIT = 125_000;
const MBIT = "Mbit/s";

export const typedUnit = (unit: string): string => (unit === "octet/s" ? MBIT : unit);
export const typedValue = (value: number, unit: string): number =>
  unit === "octet/s" ? value / OCTETS_OF_MBIT : value;

function typed(rule: T.ThresholdRule): T.ThresholdRule {
  const of = (value: number) => typedValue(value, rule.unit);
  return {
    ...rule,
    ...{ unit: typedUnit(rule.unit), threshold: of(rule.threshold), clearValue: of(rule.clearValue) },
    crossedCounters: rule.crossedCounters.map((each) => ({
      ...each,
      ...{ value: of(each.value), latestValue: of(each.latestValue) },
    })),
  };
}

/** Converts typed limits to the unit of the API. */
function counted<Limits extends { threshold?: number; clearValue?: number }>(limits: Limits, unit: string): Limits {
  const of = (name: "threshold" | "clearValue") =>
    limits[name] === undefined || unit !== MBIT ? {} : { [name]: limits[name] * OCTETS_OF_MBIT };
  return { ...limits, ...of("threshold"), ...of("clearValue") };
}

const ruleId = (id: string) => ({ params: { path: { rule_id: id } } });
export const thresholdRuleList = async (): Promise<T.ThresholdRule[]> =>
  (await all<T.ThresholdRule>(api.GET("/api/v1/threshold_rules"))).map(typed);
export const thresholdRuleCreate = (input: T.ThresholdRuleInput, unit: string) =>
  data<T.ThresholdRule>(api.POST("/api/v1/threshold_rules", { body: counted(input, unit) }));
export const thresholdRuleUpdate = (
  { id, unit, version }: T.ThresholdRule,
  input: Partial<T.ThresholdRuleInput>,
): Promise<T.ThresholdRule> =>
  data(
    api.PATCH("/api/v1/threshold_rules/{rule_id}", {
      ...ruleId(id),
      body: counted(input, unit),
      headers: changeHeaders(version),
    }),
  );
export const thresholdRuleDelete = ({ id, version }: T.ThresholdRule) =>
  api.DELETE("/api/v1/threshold_rules/{rule_id}", { ...ruleId(id), headers: changeHeaders(version) });
