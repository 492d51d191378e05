import { noFigures, routerFigures, vsrFigures } from "./fixtures/figures";
import { vsrPe } from "./fixtures/vnfds";
import { json, notFound, problem } from "./http";
import type { Route } from "./routes";
import type * as T from "../src/api/types";

const FACTOR: Record<string, number> = { Mpps: 1, kpps: 1e-3, pps: 1e-6 };
const [RATE, ROUTES] = vsrFigures.figures;
const MOST_ROUTES = ROUTES?.value ?? 0;

function row(dimension: T.Dimension, demand: number, capacity: number, unit: string, units: number | null) {
  const used = demand / capacity;
  return {
    ...{ dimension, label: dimension === "routes" ? "Routes" : "Packet rate", used, headroom: 1 - used },
    ...{ demand: { value: demand, unit }, capacity: { value: capacity, unit } },
    ...{ binds: units !== null, figureId: dimension === "routes" ? "routes" : "packet-rate-64" },
    ...{ perUnit: units !== null, unitsNeeded: units, note: "" },
  };
}

/** One data path VM carries 57.5 Mpps, and a VNF has at most ten; more than 3.4 million routes were not measured. */
function answer(demand: T.Demand): T.DimensioningAnswer {
  const rate = (demand.packetRate?.value ?? 0) * (FACTOR[demand.packetRate?.unit ?? "Mpps"] ?? 1);
  const routes = demand.routes?.value ?? 0;
  const units = Math.max(1, Math.ceil(rate / 57.5));
  const level = vsrPe.flavours[0]?.instantiationLevels.find((each) => (each.scale["datapath"] ?? 0) >= units - 1);
  const fits = units <= 10;
  return {
    verdict: !fits ? "DOES_NOT_FIT" : routes > MOST_ROUTES ? "NOT_KNOWN" : "FITS",
    hostType: "e5-2699v3",
    flavourId: "default",
    instantiationLevelId: fits ? (level?.id ?? "") : "",
    levelIsExact: level?.scale["datapath"] === units - 1,
    scaleLevels: fits ? { datapath: units - 1 } : {},
    dimensions: [
      ...(demand.packetRate ? [row("packetRate", rate, units * 57.5, "Mpps", units)] : []),
      ...(demand.routes ? [row("routes", routes, MOST_ROUTES, "route", null)] : []),
    ],
    vdus: [
      { vduId: "cpm", name: "Control VM", vms: 2, coresEach: null, vcpusEach: 2, memoryMibEach: 4096 },
      { vduId: "iom", name: "Data path VM", vms: units, coresEach: null, vcpusEach: 8, memoryMibEach: 16_384 },
    ],
    counted: [{ name: units === 1 ? "Data path VM" : "Data path VMs", number: units, figureId: "" }],
    totals: { vms: units + 2, cores: null, vcpus: 4 + 8 * units, memoryMib: 8192 + 16_384 * units },
    results: [{ name: "Failover", value: { value: 17, unit: "ms" }, figureId: "", atMost: false }],
    reasons: fits ? [] : [`${units} of Data path VM are needed; one instance has at most 10.`],
    warnings: demand.routes ? vsrFigures.contradictions.map((each) => each.text) : [],
    unknown: [...(routes > MOST_ROUTES ? ["Routes: more than 3,400,000 was not tested."] : []), ...vsrFigures.unknown],
    figures: [...(demand.packetRate && RATE ? [RATE] : []), ...(demand.routes && ROUTES ? [ROUTES] : [])],
  };
}

export const dimensioning: Route[] = [
  ["GET", /^\/api\/v1\/reference_figures$/, () => json([routerFigures])],
  [
    "GET",
    /^\/api\/v1\/vnfds\/([^/]+)\/figures$/,
    ({ db, params }) => {
      const found = db.vnfds.find((each) => each.vnfdId === params[0]);
      if (!found) return notFound("VNFD");
      return json(found.vnfdId === vsrPe.vnfdId ? vsrFigures : noFigures);
    },
  ],
  [
    "POST",
    /^\/api\/v1\/dimensioning$/,
    ({ body }) => {
      const { demand } = body as T.DimensioningRequest;
      // This value stands for faults that only the server finds.
      if (demand.routes?.value === 666) {
        return problem(400, "Bad request", "The request is not valid: /demand/routes/value.", {
          code: "INVALID_REQUEST",
          errors: [{ field: "/demand/routes/value", message: "Not this number." }],
        });
      }
      return json(answer(demand));
    },
  ],
];
