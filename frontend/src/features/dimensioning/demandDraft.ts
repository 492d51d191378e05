import { t } from "@lingui/core/macro";
import { splitFieldErrors, type FieldErrors } from "@/api/problem";
import type { Demand, Demanded, Dimension, DimensioningRequest, Figures, ProblemDetails } from "@/api/types";

export interface DemandDraft {
  hostType: string;
  frameSize: string;
  imix: boolean;
  amounts: Partial<Record<Dimension, { text: string; unit: string }>>;
}

const RATES: Dimension[] = ["packetRate", "throughput", "wireRate"];
/** The frame size matters only for rates of traffic. */
export const hasRates = (figures: Figures): boolean => figures.demand.some((each) => RATES.includes(each.dimension));

export const emptyDemand = (figures: Figures): DemandDraft => ({
  hostType: figures.hosts[0]?.id ?? "",
  frameSize: "",
  imix: false,
  amounts: {},
});

export const amountOf = (draft: DemandDraft, demanded: Demanded) =>
  draft.amounts[demanded.dimension] ?? { text: "", unit: demanded.units[0] ?? "" };

const NUMBER = /^\d+(\.\d+)?$/;
const GROUPED = /^\d{1,3}([\s,]\d{3})+(\.\d+)?$/;
/** Users write "20 000 000" and "20,000,000". A comma elsewhere ("57,5") stays, and is refused: it may be a decimal one. */
function plain(text: string): string {
  const trimmed = text.trim();
  return GROUPED.test(trimmed) ? trimmed.replaceAll(/[\s,]/g, "") : trimmed;
}

export function demandErrors(figures: Figures, draft: DemandDraft): FieldErrors {
  const errors: FieldErrors = {};
  const typed = figures.demand.filter((each) => amountOf(draft, each).text.trim() !== "");
  for (const each of typed) {
    if (!NUMBER.test(plain(amountOf(draft, each).text))) {
      errors[each.dimension] = t`Enter a number in digits, at least 0, such as 57.5 or 2,000,000.`;
    }
  }
  const first = figures.demand[0];
  if (typed.length === 0 && first) errors[first.dimension] = t`Enter at least one demand.`;
  const frame = Number(plain(draft.frameSize));
  if (draft.frameSize.trim() !== "" && !draft.imix && !(frame >= 64 && frame <= 9216 && Number.isInteger(frame))) {
    errors["frameSize"] = t`Enter an integer from 64 to 9216.`;
  }
  return errors;
}

export function toDimensioning(vnfdId: string, figures: Figures, draft: DemandDraft): DimensioningRequest {
  const demand: Demand = {};
  for (const each of figures.demand) {
    const { text, unit } = amountOf(draft, each);
    if (text.trim() !== "") demand[each.dimension] = { value: Number(plain(text)), unit };
  }
  if (hasRates(figures)) {
    if (draft.imix) demand.imix = true;
    else if (draft.frameSize.trim() !== "") demand.frameSize = Number(plain(draft.frameSize));
  }
  return { vnfdId, hostType: draft.hostType, demand };
}

/** Errors of the API, by field of the form. */
export function demandProblem(figures: Figures, problem: ProblemDetails) {
  const known = new Set<string>(["hostType", "frameSize", ...figures.demand.map((each) => each.dimension)]);
  return splitFieldErrors(problem.errors, ([head = "", name = ""]) => {
    const field = head === "demand" ? name : head;
    return known.has(field) ? field : undefined;
  });
}
