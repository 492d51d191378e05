import { t } from "@lingui/core/macro";
import { hasSeveral, type AlarmRouteRow, type Channel } from "@/api/alarmRoutes";
import type { ManagedObjectType } from "@/api/types";
import type { Draft, FieldSpec } from "@/records/fields";
import { OBJECTS, SITES } from "@/records/optionSources";
import { OBJECT_TYPE } from "@/ui/names";
import type { Option } from "@/ui/SearchSelect";
import { SEVERITIES, SEVERITY } from "@/ui/states";

export const CHANNEL: Record<Channel, string> = {
  MAIL: t`Mail (SMTP)`,
  WEBHOOK: t`Webhook (JSON)`,
  SYSLOG: t`Syslog over TLS`,
  SNMP: t`SNMPv3 trap`,
};
const SECURITY: readonly Option[] = [
  ["STARTTLS", t`STARTTLS`],
  ["TLS", t`TLS from the start`],
  ["NONE", t`In clear, without a password`],
];
const FORMATS: readonly Option[] = [
  ["RFC5424", t`RFC 5424, with structured data`],
  ["CEF", t`CEF (ArcSight)`],
];
const AUTH = ["SHA", "SHA-224", "SHA-256", "SHA-384", "SHA-512"];
const PRIV = ["AES", "AES-192", "AES-256"];
const options = (words: readonly string[]): Option[] => words.map((word) => [word, word]);

const onlyFor =
  (channel: Channel) =>
  (draft: Draft): boolean =>
    draft["channel"] === channel;
const limited = (draft: Draft): boolean => draft["limited"] === true;
const secretHelp = (row: AlarmRouteRow | undefined): string =>
  row ? t`Empty: unchanged. With another server it has to be entered again.` : t`Encrypted, and never shown.`;

function mail(row: AlarmRouteRow | undefined): FieldSpec[] {
  const of = { when: onlyFor("MAIL"), group: t`Mail server` };
  return [
    { kind: "text", name: "mail/host", label: t`Server`, required: true, ...of },
    { kind: "number", name: "mail/port", label: t`Port`, required: true, ...of },
    { kind: "select", name: "mail/security", label: t`Encryption`, options: SECURITY, required: true, ...of },
    { kind: "text", name: "mail/userName", label: t`User`, help: t`Empty: the server wants no login.`, ...of },
    { kind: "secret", name: "mail/password", label: t`Password`, help: secretHelp(row), ...of },
    { kind: "text", name: "mail/sender", label: t`Sender`, required: true, ...of },
    { kind: "lines", name: "mail/recipients", label: t`Recipients`, help: t`One per line.`, required: true, ...of },
  ];
}

function servers(row: AlarmRouteRow | undefined): FieldSpec[] {
  const [web, syslog, snmp] = [
    { when: onlyFor("WEBHOOK"), group: t`Webhook` },
    { when: onlyFor("SYSLOG"), group: t`Syslog server` },
    { when: onlyFor("SNMP"), group: t`Trap receiver` },
  ];
  const engine = row?.engineId ? t`The receiver needs our engine ID: 0x${row.engineId}` : undefined;
  return [
    { kind: "text", name: "webhook/url", label: t`URL`, required: true, ...web },
    {
      ...{ kind: "secret", name: "webhook/secret", label: t`Secret`, ...web },
      help: `${t`Signs each message (HMAC-SHA-256, as Standard Webhooks has it).`} ${secretHelp(row)}`,
    },
    { kind: "text", name: "syslog/host", label: t`Server`, required: true, ...syslog },
    { kind: "number", name: "syslog/port", label: t`Port`, required: true, ...syslog },
    { kind: "select", name: "syslog/messageFormat", label: t`Format`, options: FORMATS, required: true, ...syslog },
    { kind: "text", name: "snmp/host", label: t`Server`, required: true, help: engine, ...snmp },
    { kind: "number", name: "snmp/port", label: t`Port`, required: true, ...snmp },
    { kind: "text", name: "snmp/userName", label: t`User`, required: true, ...snmp },
    { kind: "select", name: "snmp/authAlgorithm", label: t`Authentication`, options: options(AUTH), ...snmp },
    {
      ...{ kind: "secret", name: "snmp/authPassword", label: t`Authentication password`, ...snmp },
      ...{ required: !row, help: secretHelp(row) },
    },
    { kind: "select", name: "snmp/privAlgorithm", label: t`Privacy`, options: options(PRIV), ...snmp },
    {
      ...{ kind: "secret", name: "snmp/privPassword", label: t`Privacy password`, ...snmp },
      ...{ required: !row, help: secretHelp(row) },
    },
  ];
}

function which(row: AlarmRouteRow | undefined): FieldSpec[] {
  const group = t`Which alarms`;
  const { managedObjectTypes, managedObjectIds, siteIds } = row?.criteria ?? {};
  const severities = SEVERITIES.filter((each) => each !== "CLEARED").map((each): Option => [each, SEVERITY[each].text]);
  const types = Object.entries(OBJECT_TYPE).map(([type, text]): Option => [type as ManagedObjectType, text]);
  const several = hasSeveral(managedObjectIds) || hasSeveral(managedObjectTypes);
  const of = (help: string) => ({ help, when: limited, group });
  return [
    { kind: "select", name: "criteria/minSeverity", label: t`Severity at least`, options: severities, group },
    {
      ...{ kind: "search", name: "object", label: t`Object`, source: OBJECTS, none: t`Any object`, group },
      when: () => !several,
    },
    {
      ...{ kind: "select", name: "type", label: t`Type of object`, options: types, none: t`Any type`, group },
      when: (draft) => !several && !draft["object"],
    },
    {
      ...{ kind: "search", name: "site", label: t`Site`, source: SITES, none: t`Any site`, group },
      when: () => !hasSeveral(siteIds),
    },
    { kind: "check", name: "criteria/cleared", label: t`Send cleared alarms`, group },
    { kind: "check", name: "limited", label: t`Only at certain times`, group },
    {
      ...{ kind: "lines", name: "criteria/window/days", label: t`Days`, required: true },
      ...of(t`One per line: MON, TUE, WED, THU, FRI, SAT, SUN.`),
    },
    {
      ...{ kind: "text", name: "criteria/window/begin", label: t`From`, required: true },
      ...of(t`As 08:00.`),
    },
    {
      ...{ kind: "text", name: "criteria/window/end", label: t`Until`, required: true },
      ...of(t`Over midnight where it is not later than the begin.`),
    },
    {
      ...{ kind: "text", name: "criteria/window/timeZone", label: t`Time zone`, required: true },
      ...of(t`As Europe/Berlin.`),
    },
  ];
}

/** `row` is undefined for a new route. */
export function routeFields(row: AlarmRouteRow | undefined): FieldSpec[] {
  const channels = Object.entries(CHANNEL).map(([channel, text]): Option => [channel, text]);
  const group = t`How many messages`;
  return [
    { kind: "text", name: "name", label: t`Name`, required: true },
    { kind: "select", name: "channel", label: t`Channel`, options: channels, required: true, once: true },
    { kind: "check", name: "enabled", label: t`Active`, help: t`Inactive routes collect nothing.` },
    ...mail(row),
    ...servers(row),
    ...which(row),
    {
      ...{ kind: "number", name: "groupSeconds", label: t`Wait for others (s)`, required: true, group },
      help: t`So long the first alarm waits, so that those of one fault are one message.`,
    },
    {
      ...{ kind: "number", name: "intervalSeconds", label: t`Interval (s)`, required: true, group },
      help: t`From one message to the next, at least: a storm is one message for each interval.`,
    },
  ];
}

export const FRESH_ROUTE = {
  channel: "MAIL",
  enabled: true,
  mail: { port: 587, security: "STARTTLS" },
  syslog: { port: 6514, messageFormat: "RFC5424" },
  snmp: { port: 162, authAlgorithm: "SHA-256", privAlgorithm: "AES" },
  criteria: {
    minSeverity: "MAJOR",
    cleared: true,
    window: { days: ["MON", "TUE", "WED", "THU", "FRI"], begin: "08:00", end: "18:00", timeZone: "UTC" },
  },
  groupSeconds: 10,
  intervalSeconds: 60,
};
