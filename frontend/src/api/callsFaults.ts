import { all, api, csvHref, data, MERGE_PATCH, page } from "./client";
import { changeHeaders } from "./http";
import type * as T from "./types";

const alarmId = (id: string) => ({ params: { path: { alarm_id: id } } });

export const alarmPage = (query: T.AlarmQuery) => page<T.Alarm>(api.GET("/api/v1/alarms", { params: { query } }));
export const alarmView = (id: string) => data<T.Alarm>(api.GET("/api/v1/alarms/{alarm_id}", alarmId(id)));
export const alarmSummary = (managedObjectType?: T.ManagedObjectType) =>
  data<T.AlarmSummary>(
    api.GET("/api/v1/alarm_summary", { params: { query: managedObjectType ? { managedObjectType } : {} } }),
  );
export const alarmObjectSummary = (query: T.AlarmObjectQuery) =>
  data<T.AlarmObjectSummary[]>(api.GET("/api/v1/alarm_summary/objects", { params: { query } }));
export const alarmPartSummary = (managedObjectId: string) =>
  data<T.AlarmPartSummary[]>(api.GET("/api/v1/alarm_summary/parts", { params: { query: { managedObjectId } } }));
export const alarmSiteSummary = (marker: string | undefined) =>
  page<T.AlarmSiteSummary>(
    api.GET("/api/v1/alarm_summary/sites", { params: { query: { nextpage_opaque_marker: marker } } }),
  );
export const alarmDictionary = () => data<T.AlarmDictionaryEntry[]>(api.GET("/api/v1/alarm_dictionary"));
export const alarmUpdate = (id: string, body: T.AlarmChange) =>
  data<T.Alarm>(api.PATCH("/api/v1/alarms/{alarm_id}", { ...alarmId(id), body, headers: MERGE_PATCH }));
export const alarmClear = (id: string) => data<T.Alarm>(api.POST("/api/v1/alarms/{alarm_id}/clear", alarmId(id)));
export const alarmBulk = (body: T.AlarmBulk) => data<T.AlarmBulkAnswer>(api.POST("/api/v1/alarms/bulk", { body }));
export const alarmNotes = (id: string) => all<T.AlarmNote>(api.GET("/api/v1/alarms/{alarm_id}/notes", alarmId(id)));
export const alarmNoteCreate = (id: string, text: string) =>
  data<T.AlarmNote>(api.POST("/api/v1/alarms/{alarm_id}/notes", { ...alarmId(id), body: { text } }));
export const alarmCsvHref = (query: T.AlarmQuery): string => csvHref("/api/v1/alarms.csv", query);
export const alarmCount = (query: T.AlarmMatchQuery) =>
  data<T.AlarmCount>(api.GET("/api/v1/alarms/count", { params: { query } }));
/** Alarms that were raised after the count are not changed. */
export const alarmsChange = (query: T.AlarmMatchQuery, body: T.AlarmMatch) =>
  data<T.AlarmMatchAnswer>(api.PATCH("/api/v1/alarms", { params: { query }, body, headers: MERGE_PATCH }));

const policyId = (id: string) => ({ params: { path: { policy_id: id } } });
export const alarmPolicyList = () => data<T.AlarmPolicy[]>(api.GET("/api/v1/alarm_policies"));
export const alarmPolicyCreate = (body: T.AlarmPolicyInput) =>
  data<T.AlarmPolicy>(api.POST("/api/v1/alarm_policies", { body }));
export const alarmPolicyUpdate = (id: string, body: T.AlarmPolicyInput, version: number) =>
  data<T.AlarmPolicy>(
    api.PATCH("/api/v1/alarm_policies/{policy_id}", { ...policyId(id), body, headers: changeHeaders(version) }),
  );
export const alarmPolicyDelete = (id: string, version: number) =>
  api.DELETE("/api/v1/alarm_policies/{policy_id}", { ...policyId(id), headers: changeHeaders(version) });

const windowId = (id: string) => ({ params: { path: { window_id: id } } });
export const maintenanceWindowList = () => all<T.MaintenanceWindow>(api.GET("/api/v1/maintenance_windows"));
export const maintenanceWindowCreate = (body: T.MaintenanceWindowInput) =>
  data<T.MaintenanceWindow>(api.POST("/api/v1/maintenance_windows", { body }));
export const maintenanceWindowUpdate = (id: string, body: T.MaintenanceWindowChange, version: number) =>
  data<T.MaintenanceWindow>(
    api.PATCH("/api/v1/maintenance_windows/{window_id}", { ...windowId(id), body, headers: changeHeaders(version) }),
  );
export const maintenanceWindowDelete = (id: string, version: number) =>
  api.DELETE("/api/v1/maintenance_windows/{window_id}", { ...windowId(id), headers: changeHeaders(version) });
