import { all, api, data } from "./client";
import { changeHeaders } from "./http";
import type * as T from "./types";

const environmentId = (id: string) => ({ params: { path: { environment_id: id } } });
export const environmentList = () => all<T.Environment>(api.GET("/api/v1/environments"));
export const environmentCreate = (body: T.EnvironmentInput) =>
  data<T.Environment>(api.POST("/api/v1/environments", { body }));
export const environmentUpdate = (id: string, body: { name: string; description: string }, version: number) =>
  data<T.Environment>(
    api.PATCH("/api/v1/environments/{environment_id}", { ...environmentId(id), body, headers: changeHeaders(version) }),
  );
export const environmentDelete = (id: string, version: number) =>
  api.DELETE("/api/v1/environments/{environment_id}", { ...environmentId(id), headers: changeHeaders(version) });
/** The server stores nothing here. */
export const environmentDerive = (vnfdId: string, document: string) =>
  data<T.DerivedEnvironment>(api.POST("/api/v1/environments/derive", { body: { vnfdId, document } }));
export const environmentHotHref = (id: string) => `/api/v1/environments/${encodeURIComponent(id)}/hot`;
