import type { SearchGroup, SearchHit, SearchKind } from "@/api/frame";
import { pb } from "@/paths";
import type { Recent } from "./recent";

export const KIND_TITLE: Record<SearchKind, string> = {
  INSTANCE: "VNF instances",
  VM: "VMs",
  ELEMENT: "Network elements",
  ADDRESS: "IP addresses",
  ALARM: "Open alarms",
  PACKAGE: "VNF packages",
  CLOUD: "Clouds",
  SITE: "Sites",
};

const PAGE: Record<SearchKind, (id: string) => string> = {
  INSTANCE: pb.instance,
  VM: pb.instance,
  ELEMENT: pb.element,
  ADDRESS: pb.element,
  ALARM: pb.alarm,
  PACKAGE: pb.vnfPackage,
  CLOUD: pb.vim,
  SITE: () => pb.administration("sites"),
};
/** Lists that can be asked for all that has the text. */
const LIST: Partial<Record<SearchKind, (text: string) => string>> = {
  INSTANCE: pb.instancesNamed,
  ELEMENT: pb.elementsNamed,
  ALARM: pb.alarmsSaying,
  PACKAGE: pb.packagesNamed,
  CLOUD: pb.vims,
  SITE: () => pb.administration("sites"),
};

/** One line of the palette. */
export interface Choice extends Recent {
  key: string;
  matched: string;
  severity: string;
}
export interface Section {
  title: string;
  choices: Choice[];
  /** There are others that no list can show: more has to be typed. */
  unlisted: boolean;
}

const plain = (given: Recent, key: string): Choice => ({ ...given, key, matched: "", severity: "" });

const COMMANDS: readonly (readonly [text: string, to: string])[] = [
  ["Go to Overview", pb.overview()],
  ["Go to Catalog", pb.catalog()],
  ["Go to VNF instances", pb.instances()],
  ["Go to Elements", pb.elements()],
  ["Go to Performance", pb.performance()],
  ["Go to Topology", pb.topology()],
  ["Go to Alarms", pb.alarms()],
  ["Go to Clouds", pb.vims()],
  ["Go to Dimensioning", pb.dimensioning()],
  ["Go to Automation", pb.automation()],
  ["Go to Administration", pb.administration()],
  ["Instantiate a VNF", pb.instantiate()],
  ["Onboard a VNF package", pb.packageOnboard()],
  ["Register a cloud", pb.vimRegister()],
];

/** Commands of which each word of the text begins a word. */
function commands(text: string): Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (name: string) =>
    words.every((word) =>
      name
        .toLowerCase()
        .split(" ")
        .some((each) => each.startsWith(word)),
    );
  return COMMANDS.filter(([name]) => fits(name)).map(([name, to]) =>
    plain({ text: name, detail: "", to, kind: "COMMAND" }, `command-${to}`),
  );
}

const choiceOf = (kind: SearchKind, hit: SearchHit): Choice => ({
  key: `${kind}-${hit.id}-${hit.name}`,
  text: hit.name,
  detail: hit.detail,
  matched: hit.matched,
  severity: hit.severity,
  to: kind === "VM" && hit.ownerKind === "INSTANCE" ? pb.vnfcs(hit.ownerId, hit.id) : PAGE[hit.ownerKind](hit.ownerId),
  kind,
});

function sectionOf({ kind, hits, more }: SearchGroup, text: string): Section {
  const choices = hits.map((hit) => choiceOf(kind, hit));
  const list = LIST[kind];
  if (more && list) {
    const all = {
      text: `All ${KIND_TITLE[kind]} with “${text}”`,
      detail: "",
      to: list(text),
      kind: "COMMAND",
    } as const;
    choices.push(plain(all, `all-${kind}`));
  }
  return { title: KIND_TITLE[kind], choices, unlisted: more && !list };
}

/** What the palette offers: lately chosen and commands before anything is typed, then what was found. */
export function sectionsOf(text: string, groups: readonly SearchGroup[], recent: readonly Recent[]): Section[] {
  const lately = text === "" ? recent.map((each) => plain(each, `recent-${each.to}`)) : [];
  const sections = [
    { title: "Recent", choices: lately, unlisted: false },
    ...groups.map((group) => sectionOf(group, text)),
    { title: "Commands", choices: commands(text), unlisted: false },
  ];
  return sections.filter(({ choices }) => choices.length > 0);
}
