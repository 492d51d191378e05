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
/** These lists can show all results of a text. */
const LIST: Partial<Record<SearchKind, (text: string) => string>> = {
  INSTANCE: pb.instancesNamed,
  ELEMENT: pb.elementsNamed,
  ALARM: pb.alarmsWithText,
  PACKAGE: pb.packagesNamed,
  CLOUD: pb.vims,
  SITE: () => pb.administration("sites"),
};

export interface Choice extends Recent {
  key: string;
  matched: string;
  severity: string;
  /** Needs the role operator. */
  changes?: boolean;
  /** Choosing a verb puts it into the field, so that the user can type its object. */
  fill?: string;
}
interface Section {
  title: string;
  choices: Choice[];
  /** The server found more than it returns, and no list can show the rest. */
  unlisted: boolean;
}

const plain = (given: Recent, key: string): Choice => ({ ...given, key, matched: "", severity: "" });

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

function actionsOfNamed(text: string, groups: readonly SearchGroup[]): Choice[] {
  const isNamed = ({ name }: SearchHit) => name.toLowerCase() === text.toLowerCase();
  return groups.flatMap(({ kind, hits }) =>
    hits.filter(isNamed).flatMap((hit) => verbsOf(kind).map((verb) => choiceFor(verb, hit, ""))),
  );
}

/** An object without a page is highlighted on the page of its owner by the id of the result. */
function placeOf(kind: SearchKind, { id, ownerKind, ownerId }: SearchHit): string {
  if (kind === "VM" && ownerKind === "INSTANCE") return pb.vnfcs(ownerId, id);
  if (kind === "ADDRESS" && ownerKind === "INSTANCE") return pb.instancePort(ownerId, id);
  if (kind === "ADDRESS" && ownerKind === "ELEMENT") return pb.elementInterface(ownerId, id);
  return PAGE[ownerKind](ownerId);
}

const choiceOf = (kind: SearchKind, hit: SearchHit): Choice => ({
  // Interfaces of two elements may have the same ifIndex and address.
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

/** Before anything is typed these are recent destinations and commands. */
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
