import { api, data, page } from "./client";
import { changeHeaders } from "./http";
import type * as T from "./types";

const elementId = (id: string) => ({ params: { path: { element_id: id } } });
const versionOf = (id: string, version: string) => ({ params: { path: { element_id: id, version_id: version } } });

export const configurationPlan = (id: string) =>
  data<T.ConfigurationPlan>(api.GET("/api/v1/elements/{element_id}/configuration", elementId(id)));
export const configurationPlanUpdate = (id: string, body: T.ConfigurationPlanInput, version: number) =>
  data<T.ConfigurationPlan>(
    api.PATCH("/api/v1/elements/{element_id}/configuration", {
      ...elementId(id),
      body,
      headers: changeHeaders(version),
    }),
  );
export const configurationVersions = (id: string, query: T.ConfigurationVersionQuery) =>
  page<T.ConfigurationVersion>(
    api.GET("/api/v1/elements/{element_id}/configuration/versions", { params: { ...elementId(id).params, query } }),
  );
export const configurationText = (id: string, version: string) =>
  data<T.ConfigurationText>(
    api.GET("/api/v1/elements/{element_id}/configuration/versions/{version_id}", versionOf(id, version)),
  );
export const configurationTextHref = (id: string, version: string) =>
  `/api/v1/elements/${encodeURIComponent(id)}/configuration/versions/${encodeURIComponent(version)}/text`;
export const configurationJobs = async (id: string): Promise<T.ConfigurationJob[]> =>
  (await page<T.ConfigurationJob>(api.GET("/api/v1/elements/{element_id}/configuration/jobs", elementId(id)))).rows;
export const configurationJob = (id: string, job: string) =>
  data<T.ConfigurationJobDetail>(
    api.GET("/api/v1/elements/{element_id}/configuration/jobs/{job_id}", {
      params: { path: { element_id: id, job_id: job } },
    }),
  );
export const configurationBackup = (id: string) =>
  data<T.ConfigurationJob>(api.POST("/api/v1/elements/{element_id}/configuration/backup", elementId(id)));
export const configurationPush = (id: string, body: T.ConfigurationPushInput) =>
  data<T.ConfigurationJob>(api.POST("/api/v1/elements/{element_id}/configuration/push", { ...elementId(id), body }));
export const configurationRollback = (id: string, body: T.ConfigurationRollbackInput) =>
  data<T.ConfigurationJob>(
    api.POST("/api/v1/elements/{element_id}/configuration/rollback", { ...elementId(id), body }),
  );
export const elementAdminState = (id: string, body: T.AdminStateInput) =>
  data<T.ConfigurationJob>(api.POST("/api/v1/elements/{element_id}/admin_state", { ...elementId(id), body }));
export const trapPage = (query: T.TrapQuery) => page<T.Trap>(api.GET("/api/v1/traps", { params: { query } }));
export const trapReceiverList = () => data<T.TrapReceiver[]>(api.GET("/api/v1/trap_receivers"));
export const elementTraps = (id: string, query: T.TrapQuery) =>
  page<T.Trap>(api.GET("/api/v1/elements/{element_id}/traps", { params: { ...elementId(id).params, query } }));
export const countedObjects = async (id: string): Promise<string[]> =>
  (await data<T.CountedObjects>(api.GET("/api/v1/elements/{element_id}/counted_objects", elementId(id)))).objects;
export const elementThresholds = async (id: string, object: string): Promise<T.CounterThreshold[]> =>
  (
    await data<T.CounterThresholds>(
      api.GET("/api/v1/elements/{element_id}/thresholds", { params: { ...elementId(id).params, query: { object } } }),
    )
  ).thresholds;
export const counters = (id: string, query: T.CounterQuery) =>
  data<T.CounterSeries>(
    api.GET("/api/v1/elements/{element_id}/counters", { params: { ...elementId(id).params, query } }),
  );
