import { newId, now } from "./util";
import { csv, json, notFound, problem, type Context } from "./http";
import { filtered, listed } from "./lists";
import type { Route } from "./routes";
import type * as T from "../src/api/types";

const SEVERITIES = ["CRITICAL", "MAJOR", "MINOR", "WARNING", "INDETERMINATE"] as const;

const find = ({ db, params }: Context) => db.alarms.find((each) => each.id === params[0]);
const open = (alarm: T.Alarm): boolean => alarm.alarmClearedTime === null;
const counted = (alarms: readonly T.Alarm[]): T.AlarmSummary =>
  Object.fromEntries(
    SEVERITIES.map((severity) => [severity, alarms.filter((each) => each.perceivedSeverity === severity).length]),
  ) as T.AlarmSummary;

const siteOf = (element: T.NetworkElement): string => element.siteId ?? "none";

function matchesSiteAndPart({ db, url }: Context): (alarm: T.Alarm) => boolean {
  const [site, part] = [url.searchParams.get("siteId"), url.searchParams.get("part")];
  const there = new Set(db.elements.filter((element) => siteOf(element) === site).map(({ id }) => id));
  return ({ managedObjectId, faultyResource }) =>
    (!site || there.has(managedObjectId)) && (!part || `${faultyResource}:`.startsWith(`${part}:`));
}

function queried(context: Context): T.Alarm[] {
  const { db, url } = context;
  const which = url.searchParams.get("list") ?? "current";
  const words = (url.searchParams.get("text") ?? "").toLowerCase();
  return db.alarms
    .filter((alarm) => which === "merged" || open(alarm) === (which === "current"))
    .filter((alarm) => url.searchParams.get("suppressed") === "true" || alarm.suppression === "")
    .filter((alarm) => url.searchParams.get("topLevel") !== "true" || alarm.rootCauseAlarmId === null)
    .filter(matchesSiteAndPart(context))
    .filter((alarm) => words === "" || JSON.stringify(alarm).toLowerCase().includes(words));
}

function list(context: Context): Response {
  return listed(context, queried(context), (row, name) => {
    const alarm = row as T.Alarm;
    if (name !== "perceivedSeverity") return JSON.stringify(alarm[name as keyof T.Alarm]);
    return String(SEVERITIES.length - SEVERITIES.indexOf(alarm.perceivedSeverity as (typeof SEVERITIES)[number]));
  });
}

function acked(alarm: T.Alarm, ackState: T.Alarm["ackState"]): void {
  const on = ackState === "ACKNOWLEDGED";
  Object.assign(alarm, {
    ...{ ackState, acknowledgedBy: on ? "admin" : "", alarmAcknowledgedTime: on ? now() : null },
    version: alarm.version + 1,
  });
}
const cleared = (alarm: T.Alarm) =>
  Object.assign(alarm, { alarmClearedTime: now(), clearedBy: "admin", clearableByHand: false });

/** The server changes at most this many alarms in one request. */
const LIMIT = 5000;
const matching = (context: Context): T.Alarm[] => filtered(context, queried(context)) ?? [];

function count(context: Context): Response {
  const { length } = matching(context);
  return json({ count: Math.min(length, LIMIT), isMore: length > LIMIT, limit: LIMIT, asOf: now() });
}

function changeMatching(context: Context): Response {
  const { action, confirmed, assignedTo = "" } = context.body as T.AlarmMatch;
  const rows = matching(context);
  if (rows.length > LIMIT) return problem(422, "Invalid input", `More than ${LIMIT} alarms match.`);
  if (rows.length > confirmed) {
    const words = `${rows.length} alarms match by now, and ${confirmed} were confirmed.`;
    return problem(409, "Conflict", words, { code: "MORE_ALARMS_MATCH", nextStep: "Reload, then confirm again." });
  }
  const wanted = action === "ACKNOWLEDGE" ? "ACKNOWLEDGED" : "UNACKNOWLEDGED";
  const others = rows.filter((alarm) =>
    action === "ASSIGN" ? alarm.assignedTo !== assignedTo : alarm.ackState !== wanted,
  );
  for (const alarm of others) {
    if (action === "ASSIGN") Object.assign(alarm, { assignedTo, version: alarm.version + 1 });
    else acked(alarm, wanted);
    context.emit("alarm.changed", alarm.id);
  }
  return json({ done: others.length, matched: rows.length });
}

function bulk({ db, body, emit }: Context): Response {
  const { action, ids, assignedTo = "" } = body as T.AlarmBulk;
  const answer: T.AlarmBulkAnswer = { done: [], refused: [] };
  for (const alarm of db.alarms.filter(({ id }) => ids.includes(id))) {
    if (action === "CLEAR" && !alarm.clearableByHand) {
      const detail = "Only the end of its condition clears it.";
      answer.refused.push({ id: alarm.id, code: "NOT_CLEARABLE", detail });
      continue;
    }
    if (action === "CLEAR") cleared(alarm);
    else if (action === "ASSIGN") Object.assign(alarm, { assignedTo, version: alarm.version + 1 });
    else acked(alarm, action === "ACKNOWLEDGE" ? "ACKNOWLEDGED" : "UNACKNOWLEDGED");
    answer.done.push(alarm.id);
    emit("alarm.changed", alarm.id);
  }
  return json(answer);
}

function update(context: Context): Response {
  const found = find(context);
  if (!found) return notFound("alarm");
  const { ackState, assignedTo } = context.body as T.AlarmChange;
  if (ackState) acked(found, ackState);
  if (assignedTo !== undefined) found.assignedTo = assignedTo;
  context.emit("alarm.changed", found.id);
  return json(found);
}

function byObject({ db, url }: Context): Response {
  const ids = (url.searchParams.get("managedObjectId") ?? "").split(",").filter(Boolean);
  const type = url.searchParams.get("managedObjectType");
  const rows = db.alarms.filter(
    (alarm) =>
      open(alarm) &&
      (ids.length === 0 || ids.includes(alarm.managedObjectId)) &&
      (type === null || alarm.managedObjectType === type),
  );
  return json(
    [...Map.groupBy(rows, (alarm) => alarm.managedObjectId)].map(([managedObjectId, alarms]) => ({
      ...{ managedObjectType: alarms[0]?.managedObjectType, managedObjectId },
      ...counted(alarms),
    })),
  );
}

const isActive = (alarm: T.Alarm): boolean => open(alarm) && alarm.suppression === "";

function byPart({ db, url }: Context): Response {
  const id = url.searchParams.get("managedObjectId");
  const rows = db.alarms.filter((alarm) => isActive(alarm) && alarm.managedObjectId === id);
  const parts = [...Map.groupBy(rows, (alarm) => alarm.faultyResource)];
  return json(parts.map(([faultyResource, alarms]) => ({ faultyResource, ...counted(alarms) })));
}

function bySite(context: Context): Response {
  const { db } = context;
  const elements = Map.groupBy(db.elements, siteOf);
  const siteById = new Map(db.elements.map((element) => [element.id, siteOf(element)]));
  const alarms = Map.groupBy(db.alarms.filter(isActive), ({ managedObjectId }) => siteById.get(managedObjectId));
  const row = (siteId: string | null, siteName: string) => {
    const here = elements.get(siteId ?? "none") ?? [];
    const being = (status: string) => here.filter(({ conditions: [one] }) => one?.status === status).length;
    const states = { elements: here.length, unreachable: being("False"), unknown: being("Unknown") };
    return { siteId, siteName, ...states, ...counted(alarms.get(siteId ?? "none") ?? []) };
  };
  const sites = db.sites.map(({ id, name }) => row(id, name)).sort((a, b) => (a.siteName < b.siteName ? -1 : 1));
  return listed(context, [...(elements.has("none") ? [row(null, "")] : []), ...sites]);
}

const DICTIONARY: T.AlarmDictionaryEntry[] = [
  {
    ...{ faultType: "VmDown", eventType: "EQUIPMENT_ALARM", probableCause: "underlyingResourceUnavailable" },
    ...{ managedObjectTypes: ["VNF_INSTANCE"], faultyResourceType: "COMPUTE", severity: "MAJOR" },
    severityRule: "Critical for the only VM of its role, major while a mate is up.",
    raisingCondition: "Nova reports SHUTOFF, PAUSED or SUSPENDED where ACTIVE is wanted.",
    clearingCondition: "Nova reports ACTIVE.",
    remedialAction: "Start the server, or find out who stopped it.",
    ...{ clearableByHand: false, clearsOnAcknowledgement: false },
  },
  {
    ...{ faultType: "CardDown", eventType: "EQUIPMENT_ALARM", probableCause: "equipmentMalfunction" },
    ...{ managedObjectTypes: ["NETWORK_ELEMENT"], faultyResourceType: "", severity: "MAJOR", severityRule: "" },
    raisingCondition: "Administrative state up and operational state not in service.",
    clearingCondition: "The card is in service, or is not wanted any more.",
    remedialAction: "Look at the slot: put the card in, or replace it.",
    ...{ clearableByHand: false, clearsOnAcknowledgement: false },
  },
];

const CSV = ["alarmRaisedTime", "perceivedSeverity", "faultType", "managedObjectName", "faultyResourceName"] as const;

export const faults: Route[] = [
  ["GET", /^\/api\/v1\/alarms$/, list],
  ["PATCH", /^\/api\/v1\/alarms$/, changeMatching],
  ["GET", /^\/api\/v1\/alarms\.csv$/, ({ db }) => csv(CSV, db.alarms.filter(open))],
  ["GET", /^\/api\/v1\/alarms\/count$/, count],
  [
    "GET",
    /^\/api\/v1\/alarms\/([^/]+)$/,
    (context) => {
      const found = find(context);
      return found ? json(found) : notFound("alarm");
    },
  ],
  ["PATCH", /^\/api\/v1\/alarms\/([^/]+)$/, update],
  ["POST", /^\/api\/v1\/alarms\/bulk$/, bulk],
  [
    "POST",
    /^\/api\/v1\/alarms\/([^/]+)\/clear$/,
    (context) => {
      const found = find(context);
      if (!found) return notFound("alarm");
      if (!found.clearableByHand) return problem(409, "Conflict", "Only the end of its condition clears it.");
      context.emit("alarm.changed", found.id);
      return json(cleared(found));
    },
  ],
  ["GET", /^\/api\/v1\/alarms\/([^/]+)\/notes$/, ({ db, params }) => json(db.notes.get(params[0] ?? "") ?? [])],
  [
    "POST",
    /^\/api\/v1\/alarms\/([^/]+)\/notes$/,
    ({ db, params, body }) => {
      const note: T.AlarmNote = { id: newId(), author: "admin", text: (body as { text: string }).text, at: now() };
      db.notes.set(params[0] ?? "", [...(db.notes.get(params[0] ?? "") ?? []), note]);
      return json(note, 201);
    },
  ],
  [
    "GET",
    /^\/api\/v1\/alarm_summary$/,
    ({ db, url }) => {
      const type = url.searchParams.get("managedObjectType");
      return json(counted(db.alarms.filter((each) => open(each) && (!type || each.managedObjectType === type))));
    },
  ],
  ["GET", /^\/api\/v1\/alarm_summary\/objects$/, byObject],
  ["GET", /^\/api\/v1\/alarm_summary\/parts$/, byPart],
  ["GET", /^\/api\/v1\/alarm_summary\/sites$/, bySite],
  ["GET", /^\/api\/v1\/alarm_dictionary$/, () => json(DICTIONARY)],
];
