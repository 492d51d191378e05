import { t } from "@lingui/core/macro";
import type { AlarmQuery } from "@/api/types";
import { filterText } from "@/api/filter";
import { beginOf } from "@/table/period";
import type { FilterView, ListView } from "@/ui/listView";

export const PERIODS: readonly (readonly [string, string, number])[] = [
  ["1h", t`Raised in the last hour`, 1],
  ["24h", t`Raised in the last 24 hours`, 24],
  ["7d", t`Raised in the last week`, 168],
];

export const GROUPINGS = [["object", t`By object`]] as const;

/** This sort order keeps the alarms of one object together. */
const BY_OBJECT = "managedObjectName";
const LISTS = ["historical", "merged"] as const;

export const isNarrowed = (view: FilterView): boolean =>
  ["severity", "type", "object", "ack", "since", "text", "site", "within"].some((name) => view.get(name) !== "");

/** By default the list contains root causes only; a search or filter may match a consequence. */
export const isRootsOnly = (view: FilterView): boolean =>
  view.get("top") === "" ? !isNarrowed(view) && view.get("list") === "" : view.get("top") !== "0";

/** `objectId` restricts the list to one object. */
export function alarmQuery(view: ListView, objectId?: string): AlarmQuery {
  const text = view.get("text");
  const sort = view.get("group") === "object" && view.sort?.by !== BY_OBJECT ? BY_OBJECT : view.sortText;
  const filter = filterText([
    ["in", "perceivedSeverity", view.get("severity")],
    ["eq", "managedObjectType", view.get("type")],
    ["eq", "managedObjectId", objectId ?? view.get("object")],
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
    ...(objectId === undefined && isRootsOnly(view) ? { topLevel: true } : {}),
    ...(sort ? { sort } : {}),
  };
}
