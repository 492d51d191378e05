import { t } from "@lingui/core/macro";
import type { SearchHit, SearchKind } from "@/api/frame";
import { ACTIONS, type Button } from "@/features/instances/instanceActions";
import { pb } from "@/paths";

type Target = Pick<SearchHit, "id" | "name">;

/** The address opens the dialog or the page for the action. */
export interface Verb {
  kind: SearchKind;
  /** "Scale out" */
  title: string;
  /** These are in small letters. */
  phrases: readonly string[];
  line: (name: string) => string;
  to: (target: Target) => string;
  /** A verb that changes something needs the role operator. */
  changes: boolean;
}

const INSTANCE_PHRASES: Partial<Record<Button, readonly string[]>> = {
  scale_out: ["scale out", "scale", "grow", "scale up"],
  scale_in: ["scale in", "scale", "shrink", "scale down"],
  scale_to_level: ["scale to level", "scale", "set level", "resize"],
  heal: ["heal", "repair", "recover", "fix"],
  start: ["start", "power on", "boot"],
  stop: ["stop", "power off", "shut down"],
  change_flavour: ["change flavour", "change flavor", "change deployment flavour"],
  change_ext_conn: ["change connectivity", "change networks", "reconnect"],
  change_vnfpkg: ["upgrade", "update", "change package"],
  modify_info: ["edit", "rename", "edit information"],
  clone: ["clone", "copy"],
  save_settings: ["save settings"],
  instantiate: ["instantiate", "deploy"],
  terminate: ["terminate", "undeploy", "destroy"],
  delete: ["delete", "remove"],
  forget: ["stop managing", "forget"],
};

const instanceVerbs = (Object.keys(INSTANCE_PHRASES) as Button[]).map((button): Verb => {
  const word = ACTIONS[button];
  return {
    kind: "INSTANCE",
    title: word,
    phrases: INSTANCE_PHRASES[button] ?? [],
    line: (name) => `${word}: ${name}`,
    to: ({ id }) => pb.instanceAction(id, button),
    changes: true,
  };
});

const elementVerb = (action: string, title: string, ...phrases: string[]): Verb => ({
  kind: "ELEMENT",
  title,
  phrases,
  line: (name) => `${title}: ${name}`,
  to: ({ id }) => pb.elementAction(id, action),
  changes: true,
});
const elementPage = (tab: string, title: string, ...phrases: string[]): Verb => ({
  ...elementVerb("", title, ...phrases),
  to: ({ id }) => pb.elementTab(id, tab),
  changes: false,
});

const ALARMS_OF: Partial<Record<SearchKind, (id: string) => string>> = {
  INSTANCE: pb.alarmsFor,
  ELEMENT: pb.alarmsFor,
  SITE: pb.alarmsAtSite,
};
const alarmVerbs = (Object.keys(ALARMS_OF) as SearchKind[]).flatMap((kind): Verb[] => {
  const listed = ({ id }: Target) => ALARMS_OF[kind]?.(id) ?? pb.alarms();
  return [
    {
      kind,
      title: t`Acknowledge all alarms`,
      phrases: ["ack", "acknowledge", "ack all", "acknowledge all"],
      line: (name) => t`Acknowledge all alarms of ${name}`,
      to: (target) => pb.acknowledging(listed(target)),
      changes: true,
    },
    {
      kind,
      title: t`Alarms`,
      phrases: ["alarms", "faults", "alarm list"],
      line: (name) => t`Alarms of ${name}`,
      to: listed,
      changes: false,
    },
  ];
});

const mapVerb = (kind: SearchKind, node: "instance" | "element" | "cloud"): Verb => ({
  kind,
  title: t`Show on the map`,
  phrases: ["map", "show on map", "show on the map", "locate"],
  line: (name) => t`Show ${name} on the map`,
  to: ({ id }) => pb.onMap(node, id),
  changes: false,
});

/** A package is identified by its VNFD id, which `Palette` gives as the target's id. */
const DEPLOY: Verb = {
  kind: "PACKAGE",
  title: t`Instantiate`,
  phrases: ["deploy", "instantiate", "create", "launch", "new"],
  line: (name) => t`Instantiate a VNF: ${name}`,
  to: ({ id }) => pb.instantiate(id),
  changes: true,
};

const VERBS: readonly Verb[] = [
  DEPLOY,
  ...instanceVerbs,
  elementVerb("resync", t`Resync`, "resync", "sync", "poll", "rediscover"),
  elementVerb("manage", t`Manage`, "manage"),
  elementVerb("suspend", t`Suspend`, "suspend"),
  elementVerb("unmanage", t`Unmanage`, "unmanage"),
  elementVerb("edit", t`Edit`, "edit", "rename"),
  elementVerb("delete", t`Delete`, "delete", "remove"),
  elementPage("configuration", t`Configuration`, "configuration", "config", "configure", "back up", "backup", "push"),
  elementPage("interfaces", t`Interfaces`, "interfaces", "ports"),
  elementPage("counters", t`Counters`, "counters", "statistics", "traffic"),
  { ...elementPage("", t`Equipment drawing`, "drawing", "chassis", "shelf"), to: ({ id }) => pb.elementDrawing(id) },
  ...alarmVerbs,
  mapVerb("INSTANCE", "instance"),
  mapVerb("ELEMENT", "element"),
  mapVerb("CLOUD", "cloud"),
];

/** The longest phrase comes first: "stop managing pe-1" does not mean to stop "managing pe-1". */
const PHRASES = [...new Set(VERBS.flatMap(({ phrases }) => phrases))].sort((a, b) => b.length - a.length);
const FILLERS = new Set(["all", "alarms", "of", "on", "at", "for", "to", "from", "the", "vnf", "instance"]);

function withoutFillers(object: string): string {
  const words = object.split(" ");
  const first = words.findIndex((word) => !FILLERS.has(word.toLowerCase()));
  return first < 0 ? "" : words.slice(first).join(" ");
}

export interface Command {
  verbs: readonly Verb[];
  /** "" while the user has typed only the verb. */
  object: string;
}

/** "scale out pe-1", "ack all of core-1" and "pe-1 heal" are commands; other text gives undefined. */
export function commandOf(text: string): Command | undefined {
  const small = text.toLowerCase();
  const begin = PHRASES.find((phrase) => `${small} `.startsWith(`${phrase} `));
  const end = begin === undefined ? PHRASES.find((phrase) => small.endsWith(` ${phrase}`)) : undefined;
  const phrase = begin ?? end;
  if (phrase === undefined) return undefined;
  const object = begin === undefined ? text.slice(0, -phrase.length) : text.slice(phrase.length);
  return { verbs: VERBS.filter(({ phrases }) => phrases.includes(phrase)), object: withoutFillers(object.trim()) };
}

/** One verb of each title and kind is returned. */
export const verbsBeginning = (text: string): readonly Verb[] =>
  VERBS.filter(({ phrases }) => phrases.some((phrase) => phrase.startsWith(text.toLowerCase())));

const OFTEN: Partial<Record<SearchKind, number>> = { INSTANCE: 5, ELEMENT: 3 };
const often: ReadonlySet<string> = new Set<string>([
  ...[ACTIONS.scale_out, ACTIONS.scale_in, ACTIONS.heal, ACTIONS.terminate],
  ...[t`Resync`, t`Configuration`, t`Alarms`],
]);

export const verbsOf = (kind: SearchKind): readonly Verb[] =>
  VERBS.filter((verb) => verb.kind === kind && often.has(verb.title)).slice(0, OFTEN[kind] ?? 0);
