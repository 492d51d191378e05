import { t } from "@lingui/core/macro";
import { typedUnit, typedValue } from "@/api/callsThresholds";
import type { NetworkElement, ThresholdRule, ThresholdRuleInput } from "@/api/types";
import type { Draft, FieldSpec } from "@/records/fields";
import { SEVERITY } from "@/ui/states";
import { SYSTEM, unitOf } from "./counters";
import type { Series } from "./series";

/** The last value is in the unit of the API. */
interface Counted extends Series {
  name: string;
  last?: number | null | undefined;
}
export interface Place {
  counted: readonly Counted[];
  /** Elements of the counters, if they are known. */
  elements: readonly NetworkElement[];
}

/** The clear value of an upper threshold of 90 is 81; that of a lower one of 81 is 90. */
const CLEAR_SHARE = 0.9;
const rounded = (value: number): number => Number(value.toPrecision(3));
const typedUnitOf = ({ counter }: Counted): string => typedUnit(unitOf(counter));

function clearValueOf(threshold: number, isBelow: boolean, unit: string): number {
  if (!isBelow) return rounded(threshold * CLEAR_SHARE);
  const clear = rounded(threshold / CLEAR_SHARE);
  return unit === "%" ? Math.max(threshold, Math.min(100, clear)) : clear;
}

/** The clear values that follow from what is typed as threshold and direction. */
export function presetClearValues({ counted }: Place, draft: Draft): Draft {
  const thresholds = counted.map((each, index) => {
    const typed = draft[`threshold/${index}`];
    const isNumber = typeof typed === "string" && typed.trim() !== "" && Number.isFinite(Number(typed));
    const clear = isNumber ? clearValueOf(Number(typed), draft["direction"] === "BELOW", typedUnitOf(each)) : "";
    return [`clearValue/${index}`, String(clear)] as const;
  });
  return Object.fromEntries(thresholds);
}

/** A rule of each counter, with its last value as the threshold. */
export function freshRule({ counted }: Place): object {
  const last = counted.map(({ counter, last: value }) =>
    value === undefined || value === null ? "" : rounded(typedValue(value, unitOf(counter))),
  );
  return {
    ...{ series: "0", scope: "ONE", direction: "ABOVE", severity: "WARNING" },
    name: counted.map(({ name }) => name),
    threshold: last,
  };
}

function scopesOf({ counted, elements }: Place): [string, string][] {
  const ofVnf = elements.some(({ vnfInstanceId }) => vnfInstanceId !== null);
  const hasPorts = counted.some(({ object }) => object !== SYSTEM);
  return [
    ["ONE", t`This counter only`],
    ...(hasPorts ? [["ELEMENT", t`All interfaces of the element`] satisfies [string, string]] : []),
    ...(ofVnf ? [["VNF", t`All elements of its VNF`] satisfies [string, string]] : []),
    ["KIND", t`All elements of its kind`],
  ];
}

const DIRECTIONS = [
  ["ABOVE", t`Above`],
  ["BELOW", t`Below`],
] as const;
const SEVERITIES = (["CRITICAL", "MAJOR", "MINOR", "WARNING"] as const).map(
  (each) => [each, SEVERITY[each].text] as const,
);

const NAME_LENGTH = 100;
/** A new rule has fields for each counter, a stored rule only for its own. */
function limitFields(unit: string, suffix: string, when?: FieldSpec["when"]): FieldSpec[] {
  const common = { required: true, ...(when ? { when } : {}) } as const;
  return [
    { kind: "number", name: `threshold${suffix}`, label: t`Threshold (${unit})`, ...common },
    {
      ...{ kind: "number", name: `clearValue${suffix}`, label: t`Clears at (${unit})`, ...common },
      help: t`Between the two nothing changes, so that an alarm does not flap. Without values an alarm stays.`,
    },
  ];
}

const severityField: FieldSpec = {
  ...{ kind: "select", name: "severity", label: t`Severity`, required: true, options: SEVERITIES },
};

/** A stored rule keeps its counter and object. */
const changeFields = ({ unit }: ThresholdRule): FieldSpec[] => [
  { kind: "text", name: "name", label: t`Name`, required: true, most: NAME_LENGTH },
  ...limitFields(unit, ""),
  severityField,
];

export function ruleFields(place: Place, row: ThresholdRule | undefined): FieldSpec[] {
  if (row) return changeFields(row);
  const { counted } = place;
  const isOf = (index: number) => (draft: Readonly<Record<string, string | boolean>>) =>
    draft["series"] === String(index);
  return [
    {
      ...{ kind: "select", name: "series", label: t`Counter`, required: true },
      options: counted.map(({ name }, index) => [String(index), name]),
    },
    { kind: "select", name: "scope", label: t`Applies to`, required: true, options: scopesOf(place) },
    ...counted.map((_each, index): FieldSpec => ({
      ...{ kind: "text", name: `name/${index}`, label: t`Name`, required: true, most: NAME_LENGTH, when: isOf(index) },
    })),
    { kind: "select", name: "direction", label: t`Alarm when`, required: true, options: DIRECTIONS },
    ...counted.flatMap((each, index) => limitFields(typedUnitOf(each), `/${index}`, isOf(index))),
    severityField,
  ];
}

type Target = Pick<ThresholdRuleInput, "elementId" | "vnfInstanceId" | "elementKind" | "object">;

function targetOf(scope: unknown, { elementId, object }: Counted, element: NetworkElement | undefined): Target {
  if (scope === "VNF") return { vnfInstanceId: element?.vnfInstanceId ?? null };
  if (scope === "KIND") return { elementKind: element?.kind ?? null };
  return { elementId, object: scope === "ONE" && object !== SYSTEM ? object : null };
}

/** Includes the unit of the limits; undefined if the counter does not belong to the place. */
export function ruleInput(
  { counted, elements }: Place,
  input: Record<string, unknown>,
): { body: ThresholdRuleInput; unit: string } | undefined {
  const { series, scope, name, threshold, clearValue, ...same } = input;
  const index = Number(series);
  const each = counted[index];
  if (!each) return undefined;
  const at = (values: unknown) => (values as Record<number, unknown>)[index];
  const element = elements.find(({ id }) => id === each.elementId);
  const limits = { name: at(name), threshold: at(threshold), clearValue: at(clearValue) };
  const body = { ...same, ...limits, counter: each.counter, ...targetOf(scope, each, element) };
  return { body: body as ThresholdRuleInput, unit: typedUnitOf(each) };
}
