import { t } from "@lingui/core/macro";
import type { SearchGroup, SearchHit, SearchKind } from "@/api/frame";
import { SHORTEST } from "@/api/frame";
import type { Vnfd } from "@/api/types";
import { pb } from "@/paths";
import { vnfdTitle, wordsOf } from "@/ui/names";
import { pagesBy } from "./palettePages";
import { verbsBeginning, verbsOf, type Command, type Verb } from "./paletteVerbs";
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

/** One of them, after a verb. */
const KIND_ONE: Record<SearchKind, string> = {
  INSTANCE: t`VNF instance`,
  VM: "VM",
  ELEMENT: t`network element`,
  ADDRESS: t`IP address`,
  ALARM: t`alarm`,
  PACKAGE: t`VNF package`,
  CLOUD: t`cloud`,
  SITE: t`site`,
};
const MOST_STARTED = 6;
const MOST_TARGETS = 5;

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
  /** It changes something, so that it takes the role operator. */
  changes?: boolean;
  /** Chosen, it goes on to be typed: a verb without its object. */
  fill?: string;
}
interface Section {
  title: string;
  choices: Choice[];
  /** There are others that no list can show: more has to be typed. */
  unlisted: boolean;
}

const plain = (given: Recent, key: string): Choice => ({ ...given, key, matched: "", severity: "" });

/** Pages by their name or a synonym, and verbs that are still to be typed. */
function commands(text: string): Choice[] {
  const pages = pagesBy(text).map(({ text: name, to, synonym }): Choice => ({
    ...plain({ text: name, detail: "", to, kind: "COMMAND" }, `command-${name}`),
    matched: synonym,
  }));
  const verbs = text.length < SHORTEST ? [] : verbsBeginning(text);
  const byTitle = new Map(verbs.map((verb) => [verb.title, verb]));
  const started = [...byTitle.values()].slice(0, MOST_STARTED).map(({ title, phrases, kind }): Choice => {
    const phrase = phrases.find((each) => each.startsWith(text.toLowerCase())) ?? title;
    const key = `verb-${title}`;
    return {
      ...plain({ text: `${title} …`, detail: KIND_ONE[kind], to: "", kind: "COMMAND" }, key),
      fill: `${phrase} `,
    };
  });
  return [...pages, ...started];
}

const choiceFor = (verb: Verb, { id, name }: Pick<SearchHit, "id" | "name">, detail: string): Choice => {
  const to = verb.to({ id, name });
  const changes = verb.changes;
  return { ...plain({ text: verb.line(name), detail, to, kind: "ACTION" }, `action-${verb.title}-${to}`), changes };
};

/** What was typed to be done, with each object that was found for it. */
export function actionsOf({ verbs }: Command, groups: readonly SearchGroup[], vnfds: readonly Vnfd[]): Choice[] {
  return verbs.flatMap((verb) => {
    const hits = groups.find(({ kind }) => kind === verb.kind)?.hits.slice(0, MOST_TARGETS) ?? [];
    if (verb.kind !== "PACKAGE") return hits.map((hit) => choiceFor(verb, hit, hit.detail));
    return hits.flatMap((hit) => {
      const vnfd = vnfds.find(({ packageId }) => packageId === hit.id);
      return vnfd ? [choiceFor(verb, { id: vnfd.vnfdId, name: vnfdTitle(vnfd) }, "")] : [];
    });
  });
}

/** What is done most often with what has exactly the name that was typed. */
function actionsOfNamed(text: string, groups: readonly SearchGroup[]): Choice[] {
  const isNamed = ({ name }: SearchHit) => name.toLowerCase() === text.toLowerCase();
  return groups.flatMap(({ kind, hits }) =>
    hits.filter(isNamed).flatMap((hit) => verbsOf(kind).map((verb) => choiceFor(verb, hit, ""))),
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
  text: kind === "ALARM" ? wordsOf(hit.name) : hit.name,
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

/** What the palette offers: lately chosen and commands before anything is typed, then actions and what was found. */
export function sectionsOf(
  text: string,
  groups: readonly SearchGroup[],
  recent: readonly Recent[],
  actions: readonly Choice[] = [],
): Section[] {
  const lately = text === "" ? recent.map((each) => plain(each, `recent-${each.to}`)) : [];
  const sections = [
    { title: t`Recent`, choices: lately, unlisted: false },
    { title: t`Actions`, choices: [...actions], unlisted: false },
    ...groups.map((group) => sectionOf(group, text)),
    { title: t`Actions`, choices: actions.length > 0 ? [] : actionsOfNamed(text, groups), unlisted: false },
    { title: t`Commands`, choices: commands(text), unlisted: false },
  ];
  return sections.filter(({ choices }) => choices.length > 0);
}
