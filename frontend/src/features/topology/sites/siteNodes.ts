import type { AlarmSiteSummary, Severity, Site } from "@/api/types";
import { SEVERITIES, SEVERITY, type Look } from "@/ui/states";
import { spotOf, type Spot } from "./geography";

type Counted = Exclude<Severity, "CLEARED">;
const COUNTED = SEVERITIES.filter((severity): severity is Counted => severity !== "CLEARED");

export interface SiteNode {
  site: Site;
  /** Its elements and alarms were read. */
  isKnown: boolean;
  elements: number;
  unreachable: number;
  unknown: number;
  alarms: number;
  worst: Counted | undefined;
  /** Undefined: the site has no place yet. */
  spot: Spot | undefined;
}

export function siteNodes(sites: readonly Site[], summaries: readonly AlarmSiteSummary[]): SiteNode[] {
  const known = new Map(summaries.map((each) => [each.siteId, each]));
  return sites.map((site) => {
    const found = known.get(site.id);
    const { latitude, longitude } = site;
    return {
      site,
      isKnown: found !== undefined,
      ...{ elements: found?.elements ?? 0, unreachable: found?.unreachable ?? 0, unknown: found?.unknown ?? 0 },
      alarms: found ? COUNTED.reduce((sum, severity) => sum + found[severity], 0) : 0,
      worst: found && COUNTED.find((severity) => found[severity] > 0),
      spot: latitude == null || longitude == null ? undefined : spotOf({ latitude, longitude }),
    };
  });
}

export const colourOf = ({ worst, unreachable, unknown, elements }: SiteNode): Look["color"] => {
  if (worst) return SEVERITY[worst].color;
  if (unreachable > 0) return "red";
  return unknown >= elements ? "grey" : "green";
};

export const MOST_SQUARES = 24;
/** One square per element; those that do not answer come first. */
export function squares({ elements, unreachable, unknown }: SiteNode): Look["color"][] {
  const all = [
    ...Array<Look["color"]>(unreachable).fill("red"),
    ...Array<Look["color"]>(unknown).fill("grey"),
    ...Array<Look["color"]>(Math.max(0, elements - unreachable - unknown)).fill("green"),
  ];
  return all.slice(0, MOST_SQUARES);
}
