import { t } from "@lingui/core/macro";
import type { AlarmQuery } from "@/api/types";
import { filterText } from "@/api/filter";
import { beginOf } from "@/table/period";
import type { ListView } from "@/ui/listView";

export const PERIODS: readonly (readonly [string, string, number])[] = [
  ["1h", t`Raised in the last hour`, 1],
  ["24h", t`Raised in the last 24 hours`, 24],
  ["7d", t`Raised in the last week`, 168],
];

export const GROUPINGS = [
  ["object", t`By object`],
  ["cause", t`By root cause`],
] as const;

/** Alarms of one object stand together so. */
const BY_OBJECT = "managedObjectName";
const LISTS = ["historical", "merged"] as const;

/** What the address asks of the alarm list; all of it for one object where `object` is given. */
export function alarmQuery(view: ListView, object = view.get("object")): AlarmQuery {
  const text = view.get("text");
  const sort = view.get("group") === "object" && view.sort?.by !== BY_OBJECT ? BY_OBJECT : view.sortText;
  const filter = filterText([
    ["in", "perceivedSeverity", view.get("severity")],
    ["eq", "managedObjectType", view.get("type")],
    ["eq", "managedObjectId", object],
    ["eq", "ackState", view.get("ack")],
    ["gte", "alarmRaisedTime", beginOf(PERIODS.find(([key]) => key === view.get("since"))?.[2])],
  ]);
  return {
    ...(filter ? { filter } : {}),
    list: LISTS.find((each) => each === view.get("list")) ?? "current",
    ...(text ? { text } : {}),
    ...(view.get("site") ? { siteId: view.get("site") } : {}),
    ...(view.get("within") ? { part: view.get("within") } : {}),
    ...(view.get("suppressed") ? { suppressed: true } : {}),
    ...(view.get("top") || view.get("group") === "cause" ? { topLevel: true } : {}),
    ...(sort ? { sort } : {}),
    ...(view.after ? { nextpage_opaque_marker: view.after } : {}),
  };
}

/** Whether anything but the list and its order is asked. Grouped by root cause, it has only root causes. */
export const isNarrowed = (view: ListView): boolean =>
  view.get("group") === "cause" ||
  ["severity", "type", "object", "ack", "since", "text", "top", "site", "within"].some((name) => view.get(name) !== "");
