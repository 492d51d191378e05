import { json, problem, type Context } from "./http";
import { listed } from "./lists";
import type { Route } from "./routes";
import type * as T from "../src/api/types";

const SYSTEM = "(element)";
const OF_ELEMENT = ["cpu", "memory"];
const OF_INTERFACE = ["octetsIn", "octetsOut", "utilisationIn", "utilisationOut"].concat([
  "packetsIn",
  "packetsOut",
  "errorsIn",
  "errorsOut",
  "discardsIn",
  "discardsOut",
]);
const UNIT: Record<string, string> = { cpu: "%", memory: "%", octetsIn: "octet/s", octetsOut: "octet/s" };
export const unitOf = (name: string): string => UNIT[name] ?? (name.startsWith("utilisation") ? "%" : "packet/s");
const INTERFACES = ["1/1/1", "1/1/2", "1/1/3"];
/** A busy interface of 10 Gbit/s carries this many octets a second. */
const FULL_OCTETS = 1_250_000_000;
const OCTETS_OF_PACKET = 500;
/** Returns the rate of a counter, or its percentage, while its interface is busy for `percent` of the time. */
function atBusy(name: string, percent: number): number {
  const octets = (percent / 100) * FULL_OCTETS;
  if (name.startsWith("octets")) return octets;
  if (name.startsWith("packets")) return octets / OCTETS_OF_PACKET;
  return name.startsWith("errors") || name.startsWith("discards") ? percent / 1000 : percent;
}
const HOUR_MS = 3_600_000;
const STEPS = 60;
/** Nothing was counted in this step. */
const GAP = 20;
/** The first interface is no longer counted; the second never was. */
const [STOPPED, NEVER] = ["1/1/3", "1/1/4"];
const STOPPED_STEPS = 12;

/** An element that does not answer has no counters either. */
function row(element: T.NetworkElement, object: string, number: number): T.TopRow {
  const silent = element.conditions[0]?.status !== "True";
  const busy = silent ? null : Math.round(90 * 0.8 ** number);
  const interfaceValues = {
    ...{ utilisationIn: busy, utilisationOut: busy === null ? null : busy / 3 },
    ...{ octetsIn: busy === null ? null : atBusy("octetsIn", busy) },
    ...{ octetsOut: busy === null ? null : atBusy("octetsOut", busy / 3) },
    ...{ errors: silent ? null : number / 10, discards: silent ? null : 0, cpu: null, memory: null },
  };
  const none = Object.fromEntries(Object.keys(interfaceValues).map((name) => [name, null]));
  const whole = object === SYSTEM;
  return {
    ...{ elementId: element.id, elementName: element.name, siteName: element.siteName ?? "", kind: element.kind },
    ...{ object, seconds: silent ? 0 : 840, countedUntil: silent ? null : element.observedAt },
    unknownSince: silent ? element.observedAt : null,
    values: whole ? { ...none, cpu: busy, memory: silent ? null : 41.5 } : interfaceValues,
  };
}

function top(context: Context): Response {
  const { db, url } = context;
  const of = url.searchParams.get("objects") ?? "interfaces";
  const text = (url.searchParams.get("text") ?? "").toLowerCase();
  const sort = url.searchParams.get("sort") ?? (of === "elements" ? "-cpu" : "-utilisationIn");
  if (of !== "interfaces" && of !== "elements") return problem(400, "Bad request", `There are no ${of}.`);
  const managed = db.elements.filter(({ state }) => state === "MANAGED");
  const answering = managed.filter(({ conditions }) => conditions[0]?.status === "True");
  const rows =
    of === "elements"
      ? managed.map((element, number) => row(element, SYSTEM, number))
      : answering.flatMap((element, at) => INTERFACES.map((name, number) => row(element, name, number + at)));
  const named = rows.filter(({ elementName, object }) =>
    `${elementName} ${of === "elements" ? "" : object}`.toLowerCase().includes(text),
  );
  const [by, sign] = [sort.replace(/^-/, ""), sort.startsWith("-") ? -1 : 1];
  named.sort((a, b) => {
    const [one, other] = [a.values[by] ?? null, b.values[by] ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one - other);
  });
  const owners = new Map(db.elements.map((element) => [element.id, element]));
  const bare = new URL(url);
  bare.searchParams.delete("sort");
  const known = named.map((each) => {
    const element = owners.get(each.elementId);
    return { ...each, siteId: element?.siteId ?? null, vnfInstanceId: element?.vnfInstanceId ?? null };
  });
  return listed({ url: bare }, known);
}

/** A gap is null. */
export function seriesAt(object: string, name: string, index: number, steps: number): number | null {
  if (index === GAP || object === NEVER || (object === STOPPED && index >= steps - STOPPED_STEPS)) return null;
  const shift = (name.endsWith("Out") || name === "memory" ? 2 : 0) + object.length;
  return atBusy(name, 30 + 20 * Math.sin(index / 5 + shift));
}

function counters({ params, url }: Context): Response {
  const object = url.searchParams.get("object") ?? SYSTEM;
  const asked = (url.searchParams.get("names") ?? "").split(",").filter(Boolean);
  const names = asked.length > 0 ? asked : object === SYSTEM ? OF_ELEMENT : OF_INTERFACE;
  const to = Date.parse(url.searchParams.get("to") ?? new Date().toISOString());
  const from = Date.parse(url.searchParams.get("from") ?? new Date(to - HOUR_MS).toISOString());
  const step = Number(url.searchParams.get("step") ?? (to - from) / 1000 / STEPS);
  const steps = Math.round((to - from) / 1000 / step);
  const isGap = (index: number) => seriesAt(object, "cpu", index, steps) === null;
  const value = (index: number, name: string) => seriesAt(object, name, index, steps);
  const points = Array.from({ length: steps }, (_, index) => ({
    ...{ at: new Date(from + index * step * 1000).toISOString(), seconds: isGap(index) ? 0 : step },
    values: Object.fromEntries(names.map((name) => [name, value(index, name)])),
  }));
  const units = Object.fromEntries(names.map((name) => [name, unitOf(name)]));
  return json({ elementId: params[0], object, step, units, points });
}

function thresholds({ db, params, url }: Context): Response {
  const object = url.searchParams.get("object") ?? SYSTEM;
  const element = db.elements.find(({ id }) => id === params[0]);
  const of = { counter: "cpu", id: element?.vnfInstanceId ?? "", clearValue: null };
  const found = [
    { ...of, value: 20, hysteresis: 0, origin: "SCALE_IN", name: "follow the load" },
    { ...of, value: 70, hysteresis: 0, origin: "SCALE_OUT", name: "follow the load" },
    { ...of, value: 90, hysteresis: 5, origin: "PM_THRESHOLD", name: "VCpuUsageMeanVnf" },
  ];
  const rules = db.thresholdRules.filter(
    (rule) =>
      (rule.elementId === element?.id || rule.elementKind === element?.kind) &&
      OF_ELEMENT.includes(rule.counter) === (object === SYSTEM) &&
      (rule.object === null || rule.object === object),
  );
  const lines = rules.map(({ id, name, counter, threshold, clearValue }) => ({
    ...{ counter, id, name, value: threshold, hysteresis: 0, clearValue, origin: "THRESHOLD_RULE" },
  }));
  const own = element?.vnfInstanceId && object === SYSTEM ? found : [];
  return json({ elementId: params[0], object, thresholds: [...own, ...lines] });
}

const TRAFFIC_PATHS = ["customer-1 → customer-2", "customer-2 → customer-1"];
/** Only the first instance has traffic probes; a heal operation lost some of their packets. */
function traffic({ db, params, url }: Context): Response {
  if (params[0] !== db.instances[0]?.id) return json({ step: 30, paths: [] });
  const to = Date.parse(url.searchParams.get("to") ?? new Date().toISOString());
  const from = Date.parse(url.searchParams.get("from") ?? new Date(to - HOUR_MS).toISOString());
  const step = Number(url.searchParams.get("step") ?? (to - from) / 1000 / STEPS);
  const count = Math.round((to - from) / 1000 / step);
  const paths = TRAFFIC_PATHS.map((path, number) => {
    const lostAt = (index: number) => (index === GAP ? 41 + number : 0);
    const steps = Array.from({ length: count }, (_, index) => ({
      ...{ at: new Date(from + index * step * 1000).toISOString(), seconds: step, sent: step * 1000 },
      ...{ lost: lostAt(index), gap: lostAt(index) > 0 ? lostAt(index) / 1000 : 0.001 },
    }));
    return { path, steps, sent: count * step * 1000, lost: 41 + number, gap: (41 + number) / 1000 };
  });
  return json({ step, paths });
}

export const performance: Route[] = [
  ["GET", /^\/api\/v1\/vnf_instances\/([^/]+)\/traffic$/, traffic],
  ["GET", /^\/api\/v1\/performance\/top$/, top],
  ["GET", /^\/api\/v1\/elements\/([^/]+)\/counted_objects$/, () => json({ objects: [SYSTEM, ...INTERFACES] })],
  ["GET", /^\/api\/v1\/elements\/([^/]+)\/counters$/, counters],
  ["GET", /^\/api\/v1\/elements\/([^/]+)\/thresholds$/, thresholds],
];
