import { t } from "@lingui/core/macro";
import type { SearchGroup, SearchHit, SearchKind } from "@/api/frame";
import { pb } from "@/paths";
import type { Recent } from "./recent";

const KIND_TITLE: Record<SearchKind, string> = {
  INSTANCE: t`VNF instances`,
  VM: "VMs",
  ELEMENT: t`Network elements`,
  ADDRESS: t`IP addresses`,
  ALARM: t`Active alarms`,
  PACKAGE: t`VNF packages`,
  CLOUD: t`Clouds`,
  SITE: t`Sites`,
};

const PAGE: Record<SearchKind, (id: string) => string> = {
  INSTANCE: pb.instance,
  VM: pb.instance,
  ELEMENT: pb.element,
  ADDRESS: pb.element,
  ALARM: pb.alarm,
  PACKAGE: pb.vnfPackage,
  CLOUD: pb.vim,
  SITE: pb.network,
};
/** Lists that can be asked for all that has the text. */
const LIST: Partial<Record<SearchKind, (text: string) => string>> = {
  INSTANCE: pb.instancesNamed,
  ELEMENT: pb.elementsNamed,
  ALARM: pb.alarmsWithText,
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
interface Section {
  title: string;
  choices: Choice[];
  /** There are others that no list can show: more has to be typed. */
  unlisted: boolean;
}

const plain = (given: Recent, key: string): Choice => ({ ...given, key, matched: "", severity: "" });

const COMMANDS: readonly (readonly [text: string, to: string])[] = [
  [t`Go to Overview`, pb.overview()],
  [t`Go to Catalog`, pb.catalog()],
  [t`Go to VNF instances`, pb.instances()],
  [t`Go to Elements`, pb.elements()],
  [t`Go to Performance`, pb.performance()],
  [t`Go to Topology`, pb.topology()],
  [t`Go to Alarms`, pb.alarms()],
  [t`Go to Clouds`, pb.vims()],
  [t`Go to Dimensioning`, pb.dimensioning()],
  [t`Go to Automation`, pb.automation()],
  [t`Go to Administration`, pb.administration()],
  [t`Instantiate a VNF`, pb.instantiate()],
  [t`Onboard a VNF package`, pb.packageOnboard()],
  [t`Register a cloud`, pb.vimRegister()],
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

/** Where it is shown. What has no page of its own is marked on that of its owner, which knows it by the hit's id. */
function placeOf(kind: SearchKind, { id, ownerKind, ownerId }: SearchHit): string {
  if (kind === "VM" && ownerKind === "INSTANCE") return pb.vnfcs(ownerId, id);
  if (kind === "ADDRESS" && ownerKind === "INSTANCE") return pb.instancePort(ownerId, id);
  if (kind === "ADDRESS" && ownerKind === "ELEMENT") return pb.elementInterface(ownerId, id);
  return PAGE[ownerKind](ownerId);
}

const choiceOf = (kind: SearchKind, hit: SearchHit): Choice => ({
  // Interfaces of two elements may have one ifIndex, and one address.
  key: `${kind}-${hit.ownerId}-${hit.id}-${hit.name}`,
  text: hit.name,
  detail: hit.detail,
  matched: hit.matched,
  severity: hit.severity,
  to: placeOf(kind, hit),
  kind,
});

function sectionOf({ kind, hits, more }: SearchGroup, text: string): Section {
  const choices = hits.map((hit) => choiceOf(kind, hit));
  const list = LIST[kind];
  if (more && list) {
    const all = {
      text: t`All ${KIND_TITLE[kind]} with “${text}”`,
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
    { title: t`Recent`, choices: lately, unlisted: false },
    ...groups.map((group) => sectionOf(group, text)),
    { title: t`Commands`, choices: commands(text), unlisted: false },
  ];
  return sections.filter(({ choices }) => choices.length > 0);
}
